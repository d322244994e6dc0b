import { service } from '../../kernel/index.ts'

/** One request to another server, as a trace has it. */
export interface OutgoingSpan {
  /** What carries the trace on. They are sent to origins that the operator listed, never to others. */
  readonly headers: Readonly<Record<string, string>>
  /** Ends it, once, with the status of the answer or with the code of the failure. */
  end(outcome: { readonly status: number } | { readonly failure: string }): void
}

/** Follows what the service asks of others. */
export interface Tracer {
  /** Begins a span below that of the request which is being answered. Of the address it gets the host alone: the rest may hold a secret. */
  outgoing(request: { readonly method: string; readonly host: string }): OutgoingSpan
}

export const tracer = service<Tracer>('tracer')
