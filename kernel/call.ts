import { check } from './check.ts'
import type { RouteEntry } from './mount-routes.ts'
import type { HttpRequest } from './http/message.ts'
import { isUpload } from './http/multipart.ts'
import type { Logger } from './log.ts'
import { rewritten } from './policy.ts'
import type { Call } from './route.ts'

/** A request with its matched route. */
export interface Matched {
  readonly entry: RouteEntry
  readonly params: Readonly<Record<string, string | undefined>>
  readonly request: HttpRequest
  readonly id: string
}

/** A request that was admitted and read. `late` aborts at the time limit of the route, if it has one. */
interface Admitted extends Pick<Call, 'caller' | 'log'> {
  readonly body: unknown
  readonly late: AbortSignal | undefined
}

/** A request as its handler sees it. Expensive properties are computed on first use. */
export class HandlerCall implements Call {
  readonly id: string
  readonly params: Call['params']
  readonly query: Call['query']
  readonly body: Call['body']
  readonly caller: Call['caller']
  readonly log: Logger
  readonly header: Call['header']
  readonly #request: HttpRequest
  readonly #late: AbortSignal | undefined

  constructor(
    { entry: { spec, policies, query }, params, request, id }: Matched,
    { caller, body, log, late }: Admitted,
  ) {
    this.id = id
    this.params = (spec.params ? check(spec.params, params, 'path') : params) as Call['params']
    this.query = query(request)
    const given = policies.length > 0 ? rewritten(policies, body, request) : body
    const isForm = spec.upload !== undefined && isUpload(body)
    this.body = (spec.body && !isForm ? check(spec.body, given, 'body') : body) as Call['body']
    this.caller = caller
    this.log = log
    this.header = request.header
    this.#request = request
    this.#late = late
  }

  get secure(): boolean {
    return this.#request.secure
  }

  get remote(): string | undefined {
    return this.#request.remote
  }

  get headers(): Headers {
    return this.#request.headers
  }

  get signal(): AbortSignal {
    const { signal } = this.#request
    const others = [this.#late, this.caller.limits?.signal].filter((each) => each !== undefined)
    return others.length > 0 ? AbortSignal.any([signal, ...others]) : signal
  }
}
