import type { HttpRequest } from './http/message.ts'
import type { Answer } from './route.ts'

/** An answer of bytes. The length of a stream is its own to state. */
export interface FileAnswer {
  readonly status: number
  readonly headers: NonNullable<Answer['headers']>
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
}

/** What a server has beside its routes, which are patterns and cannot be everything else: a folder of files. */
export interface Fallback {
  /** True for a path, undecoded and in plain form, that belongs to no route: every method of it is answered here. */
  takes(path: string): boolean
  /** True for a request that is answered here although a route may have its path; none without it. */
  precedes?(request: Pick<HttpRequest, 'method' | 'path' | 'header'>): boolean
  /** Answers, or throws a Refusal. Asked after policies, Host and Origin had nothing to say. */
  answer(request: HttpRequest): Promise<FileAnswer>
}
