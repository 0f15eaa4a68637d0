// Short names for the generated types that this client uses.
import type { components } from '../generated/service.ts';

type Schemas = components['schemas'];

export type Login = Schemas['Credentials'];
export type Token = Schemas['Token'];
export type ClientProduct = Schemas['ClientProduct'];
export type OrderRequest = Schemas['OrderRequest'];
export type Order = Schemas['Order'];
export type Fulfillment = Schemas['Fulfillment'];
export type ErrorBody = Schemas['ErrorBody'];
