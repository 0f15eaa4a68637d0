// The switches' names, in the order of product.md.

export const switchNames = [
  'token_expiry',
  'rate_limit',
  'inactive_pags',
  'label_expiry',
  'missing_permission',
  'server_error',
  'latency',
  'connection',
  'maintenance',
] as const;
export type SwitchName = (typeof switchNames)[number];
