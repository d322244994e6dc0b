/** Answers of local servers, among them those of servers that fail. */
import type { ServerResponse } from 'node:http'

export type AnswerWriter = (response: ServerResponse) => void
type Headers = Readonly<Record<string, string>>

/** Answers with JSON; a text is sent unchanged. */
export const answering =
  (status: number, body: unknown, headers: Headers = {}): AnswerWriter =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

/** A page, as a proxy answers. */
export const htmlPage = (status: number, text = 'marker'): AnswerWriter =>
  answering(status, `<h1>${text}</h1>`, { 'content-type': 'text/html' })

/** An answer that starts and then stalls. */
export const stalling: AnswerWriter = (response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).write('{')

export const redirecting =
  (location: string, status = 302): AnswerWriter =>
  (response) =>
    void response.writeHead(status, { location }).end()

/** An endless answer. */
export const endless: AnswerWriter = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const piece = Buffer.alloc(64 * 1024, ' ')
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}
