// Request and response types, with the fields that this client uses.

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface Product {
  readonly id: string;
  readonly product_name: string;
  readonly active: boolean;
  readonly serving_size: number;
}

export interface OrderRequest {
  readonly consumer:
    | { readonly id: string }
    | {
        readonly first_name: string;
        readonly last_name: string;
        readonly email: string;
        readonly phone_number: string;
      };
  readonly shipping_address: {
    readonly address1: string;
    readonly city: string;
    readonly province_name?: string;
    readonly country_name: string;
    readonly postal_code?: string;
  };
  readonly order_lines: readonly { readonly duration: number; readonly pouches: readonly Pouch[] }[];
}

export type Pouch = { readonly time_of_administration: string } & (
  | { readonly pack_id: string }
  | { readonly contents: readonly { readonly client_product_id: string; readonly serving_size: number }[] }
);

export interface Order {
  readonly id: string;
  /** For example Pending. Needs Changes is a success, too: the order is stored and waits for packaging approval. */
  readonly status: string;
  readonly consumer: {
    readonly id: string;
    readonly first_name: string | null;
    readonly last_name: string | null;
  };
}

export interface Fulfillment {
  readonly id: string;
  readonly order_id: string;
  readonly status_id: string;
  /** Valid for 15 minutes. */
  readonly label_url: string;
}

export interface FulfillmentPage {
  readonly fulfillments: readonly Fulfillment[];
  /** Opaque; null on the last page. */
  readonly next_cursor: string | null;
}
