import { service } from '../../kernel/index.ts'

/** The span of a request to another server. */
export interface OutgoingSpan {
  /** The headers that propagate the trace, sent only to origins that the operator listed. */
  readonly headers: Readonly<Record<string, string>>
  /** Ends the span, once, with the status of the answer or the code of the failure. */
  end(outcome: { readonly status: number } | { readonly failure: string }): void
}

/** Traces outgoing requests. */
export interface Tracer {
  /** Starts a span in the current one. Gets only the host, because the rest may contain a secret. */
  outgoing(request: { readonly method: string; readonly host: string }): OutgoingSpan
}

export const tracer = service<Tracer>('tracer')
