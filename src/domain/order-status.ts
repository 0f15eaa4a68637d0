// What a client may do to an order, by its status (ORD-22, ORD-23).
import type { OrderStatus } from '../contract/records.ts';

const modifiable: readonly OrderStatus[] = ['Pending', 'On Hold'];
const notCancelable: readonly OrderStatus[] = ['In Production', 'Canceled'];

export const mayModify = (status: OrderStatus): boolean => modifiable.includes(status);
export const mayCancel = (status: OrderStatus): boolean => !notCancelable.includes(status);
