// Every statement of the contract that a client can observe, by the contract's sections. The conformance page lists them.
import { orderSections } from './orders.ts';
import { serviceSections } from './service.ts';

export const sections = [...orderSections, ...serviceSections];
