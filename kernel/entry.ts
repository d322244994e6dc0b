import type { Gate } from './gate.ts'
import type { HttpRequest } from './http/message.ts'
import type { RoutePolicy } from './policy.ts'
import type { Answer, Call, RouteSpec } from './route.ts'

/** A route with everything that is needed to answer it. */
export interface Entry {
  readonly plugin: string
  readonly key: string
  readonly spec: RouteSpec
  readonly gate: Gate
  readonly policies: readonly RoutePolicy[]
  /** Its gate does not mount it: it answers 404 in every shape. */
  readonly isLeftOut: boolean
  readonly query: (request: HttpRequest) => Call['query']
  readonly handler: (call: Call) => Answer | Promise<Answer>
}
