// A sample order.
import { fragment } from '../fragment.ts';
import type { Visit } from '../visit.ts';

export const sampleOrder = async (_visit: Visit): Promise<Response> => fragment(<p>None</p>);
