// Sends a span per call to an OpenTelemetry collector. `serve` imports it only if the environment names a collector.
import {
  type Attributes,
  DiagLogLevel,
  diag,
  type Exception,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { printable } from '../client/printable.ts';
import { operations } from '../contract/operations.ts';
import { askedChoices, reasonOf } from '../journal/decision.ts';
import type { Entry, RawHeaders } from '../journal/entry.ts';
import { UsageError } from '../system/exit-errors.ts';
import { after, machineTime } from '../system/time.ts';
import { version } from '../version.ts';
import { notify } from './start-server.ts';

type Scheme = 'http' | 'https';

const shutdownMilliseconds = 2000;

/**
 * Starts the SDK, which reads its settings from the `OTEL_…` variables.
 * @param variable the variable with the URL of the collector
 * @param scheme of the server's own URL
 * @returns `onCompleted` adds the span of a call to the next batch. `shutdown` sends the last spans, for two seconds at
 * most
 * @throws UsageError if the variable is not an http or https URL, or a number for the batches is not a whole one from 1
 */
export function startTelemetry(variable: string, scheme: Scheme) {
  requireHttpUrl(variable);
  requireBatchNumbers();
  noteOtherProtocol();
  // All problems with the settings are printed. After the start only the first one: every batch fails while the
  // collector is down.
  let reportsLeft = Number.POSITIVE_INFINITY;
  const report = (...parts: readonly unknown[]): void => {
    // Other parts are bytes.
    const texts = parts.filter((part) => typeof part === 'string' || part instanceof Error);
    if (reportsLeft > 0) notify(`OpenTelemetry: ${printable(texts.join(' '))}`);
    reportsLeft -= 1;
  };
  const reportFailure = (reason: string): void =>
    report(`cannot send spans to the collector of ${variable}: ${reason}. Further failures are not printed`);
  diag.setLogger({ error: report, warn: report, info: report, debug: report, verbose: report }, DiagLogLevel.WARN);
  setGlobalErrorHandler((error) => reportFailure(reasonOfFailure(error)));
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'sachet', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('sachet', version);
  reportsLeft = 1;
  return {
    onCompleted: (entry: Entry, sandbox: string): void => {
      const endTime = machineTime();
      const startTime = endTime - (entry.answer?.durationMilliseconds ?? 0);
      const parent = propagator.extract(ROOT_CONTEXT, entry.received.headers, headerGetter);
      const span = tracer.startSpan(entry.method, { kind: SpanKind.SERVER, startTime }, parent);
      if (!span.isRecording()) return;
      const { name, attributes } = spanOf(entry, sandbox, scheme);
      span.updateName(name).setAttributes(attributes);
      if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endTime);
    },
    shutdown: (): Promise<void> =>
      new Promise((resolve) => {
        const cancel = after(shutdownMilliseconds, () => resolve(reportFailure('not accepted within 2 seconds')));
        const sending = provider.shutdown().catch((error) => reportFailure(reasonOfFailure(error)));
        void sending.then(cancel).then(resolve);
      }),
  };
}

const propagator = new W3CTraceContextPropagator();

/** The value of a header; a repeated one has all of its values. */
function headerOf(headers: RawHeaders, name: string): string | undefined {
  const values = headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name);
  return values.length > 0 ? values.join(',') : undefined;
}

const headerGetter: TextMapGetter<RawHeaders> = { get: headerOf, keys: () => propagator.fields() };

function requireHttpUrl(variable: string): void {
  const text = process.env[variable]?.trim() ?? '';
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return;
  // Not the value: it may have a password.
  throw new UsageError(
    `${variable} is not a URL; use the http or https URL of a collector, such as http://localhost:4318`,
  );
}

/** With others the SDK loses spans, or never ends. It reports a text that is not a number, and uses its default. */
function requireBatchNumbers(): void {
  for (const [name, value = ''] of Object.entries(process.env)) {
    const number = Number(value);
    const isIgnored = !name.startsWith('OTEL_BSP_MAX_') || value.trim() === '' || Number.isNaN(number);
    if (isIgnored || (Number.isInteger(number) && number >= 1)) continue;
    throw new UsageError(`${name}="${value}" is not a whole number from 1; change it, or remove it for the default`);
  }
}

function noteOtherProtocol(): void {
  const { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: own, OTEL_EXPORTER_OTLP_PROTOCOL: general } = process.env;
  const protocol = own || general || 'http/json';
  if (protocol === 'http/json') return;
  const advice = "use the collector's port for OTLP over HTTP, usually 4318";
  notify(`OpenTelemetry: Sachet sends http/json, not "${printable(protocol)}"; ${advice}`);
}

/** If a host has several addresses and all refuse, Node's error has a code and no message. */
const reasonOfFailure = (error: Exception): string =>
  typeof error === 'string' ? error : error.message || String(error.code);

/** The methods of the HTTP conventions; spans show others as `_OTHER`, so that clients cannot make up names. */
const knownMethods = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'];

/**
 * The name and attributes of a call's span, according to OpenTelemetry's HTTP conventions. Without secrets, as the
 * journal shows the call.
 * @example spanOf(entry, 'stage', 'http').name // 'POST /v2/orders'
 */
export function spanOf(entry: Entry, sandbox: string, scheme: Scheme): { name: string; attributes: Attributes } {
  const { method, operation, answer } = entry;
  const status = answer?.status ?? undefined;
  const isKnown = knownMethods.includes(method);
  const route = operation === null ? undefined : operations[operation].path;
  const isFailed = status !== undefined && status >= 500;
  const attributes = {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown ? undefined : method,
    'http.route': route,
    'http.response.status_code': status,
    'url.path': entry.path,
    'url.scheme': scheme,
    ...serverOf(headerOf(entry.received.headers, 'host'), scheme),
    'error.type': isFailed ? String(status) : answer?.decision.isLost ? 'connection_broken' : undefined,
    'sachet.sandbox': sandbox,
    ...decisionAttributes(entry),
  };
  const shownMethod = isKnown ? method : 'HTTP';
  return { name: route === undefined ? shownMethod : `${shownMethod} ${route}`, attributes };
}

/** The host that the client called; empty for the console, which calls in process. */
function serverOf(host: string | undefined, scheme: Scheme): Attributes {
  const url = `${scheme}://${host}`;
  if (host === undefined || !URL.canParse(url)) return {};
  const { hostname, port } = new URL(url);
  return { 'server.address': hostname, 'server.port': Number(port) || { http: 80, https: 443 }[scheme] };
}

function decisionAttributes({ id, operation, answer }: Entry): Attributes {
  if (!answer) return {};
  const { decision, status } = answer;
  const assumptions = Object.entries(askedChoices(decision)).map(([name, choice]) => `${name}=${choice}`);
  const listed = (values: readonly string[]) => (values.length > 0 ? [...new Set(values)] : undefined);
  return {
    'sachet.request_id': id,
    'sachet.operation': operation ?? undefined,
    'sachet.rule': listed(decision.rules),
    'sachet.assumption': listed(assumptions),
    'sachet.fault': listed(decision.faults),
    'sachet.reason': reasonOf(decision, status, operation) ?? undefined,
  };
}
