import { service } from '../../kernel/index.ts'
import type { Outbound } from './types.ts'

export { isBlockedAddress, toOrigin, toOriginSet } from './addresses.ts'
export { UpstreamFailure, type UpstreamFailureKind } from './failure.ts'
export { askProvider, type Provider } from './provider.ts'
export { fetchRefused } from './refusals.ts'
export { withRepeats } from './repeats.ts'
export { otherSpelling } from './hop.ts'
export type { Outbound, OutboundRequest, OutboundResponse, OutboundStream } from './types.ts'

/** The only HTTP client for untrusted addresses: from a request, a page or a model. */
export const outbound = service<Outbound>('outbound')
