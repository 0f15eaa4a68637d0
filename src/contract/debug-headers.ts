// The headers that answers carry beside the service's own (product.md, "Start and use"). They can be turned off.

const prefix = 'Sandbox-';

export const debugHeaderNames = {
  requestId: `${prefix}Request-Id`,
  rule: `${prefix}Rule`,
  assumption: `${prefix}Assumption`,
  fault: `${prefix}Fault`,
} as const;

export const isDebugHeader = (name: string): boolean => name.startsWith(prefix);
