// Whether a client looks what orders there are: what it does before it sends one again.
import type { OperationId } from '../../contract/operations.ts';
import type { CompletedCall } from './completed-call.ts';

const looks: readonly OperationId[] = ['orders.list', 'orders.get'];

export const isLook = ({ operation }: CompletedCall): boolean => operation !== null && looks.includes(operation);
