import type { OwnHeaders } from './http/headers.ts'
import type { HttpRequest } from './http/message.ts'

/** A response of bytes. A stream sets its own `content-length`. */
export interface FileAnswer {
  readonly status: number
  readonly headers: OwnHeaders
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
}

/** Answers paths without a route, such as a folder of files. */
export interface Fallback {
  /** True for a path without a route, undecoded and in plain form, that is answered here for all methods. */
  takes(path: string): boolean
  /** True for a request that is answered here even if a route matches; none by default. */
  precedes?(request: Pick<HttpRequest, 'method' | 'path' | 'header'>): boolean
  /** Answers, or throws a Refusal. Called after policies and the check of Host and Origin. */
  answer(request: HttpRequest): Promise<FileAnswer>
}
