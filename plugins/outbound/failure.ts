import { Refusal } from '../../kernel/index.ts'

const reasons = {
  unreachable: 'The other server could not be reached or broke off. Check its address and whether it runs.',
  timeout: 'The other server took too long to answer. Try again later, or find out why it is slow.',
  too_large: 'The other server answered with more than is accepted here. Ask it for less.',
  wrong_type: 'The other server answered with another kind of content than was asked for. Check the address.',
  invalid_json: 'The other server answered with something that is not JSON. Check the address.',
} as const

export type UpstreamFailureKind = keyof typeof reasons

/**
 * Thrown if the other server failed: a refusal with status 502, with the failure in `kind`.
 *
 * The text is the same for every server, so no part of its answer reaches a client; `cause` is for the log.
 */
export class UpstreamFailure extends Refusal {
  readonly kind: UpstreamFailureKind

  constructor(kind: UpstreamFailureKind, options?: ErrorOptions) {
    super({ status: 502, code: `upstream_${kind}`, reason: reasons[kind] }, options)
    this.kind = kind
  }
}
