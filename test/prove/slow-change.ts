import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Unanswered, type Reply } from './ask.ts'
import { markShared } from './choose.ts'
import type { ProvenDraft } from './editors.ts'
import { note } from './traffic.ts'

/** A change whose body is not sent yet. */
export interface SlowChange {
  /** Sends the rest, and records the response. Rejects with `Unanswered` if there is none. */
  finish(): Promise<void>
}

/** Begins a change, and resolves when the service reads its body. */
export async function beginSlowChange(port: number, draft: ProvenDraft): Promise<SlowChange> {
  const [editor] = draft.editors
  const intent = markShared(draft)
  const body = JSON.stringify(intent.request.body)
  const headers = {
    ...intent.request.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // The service answers that it waits for the body.
    expect: '100-continue',
  }
  const { path } = intent.request
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false })
  const answered = once(outgoing, 'response').then(([incoming]: IncomingMessage[]) => incoming)
  answered.catch(() => undefined)
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  outgoing.write(body.slice(0, 10))
  return {
    async finish() {
      const floor = draft.seen
      outgoing.end(body.slice(10))
      const reply = await answered.then(readAll).catch((cause: unknown) => {
        throw new Unanswered('a slow change got no answer', { cause })
      })
      if (editor) note(editor, intent, { reply, floor })
    },
  }
}

async function readAll(incoming: IncomingMessage | undefined): Promise<Reply> {
  if (!incoming) throw new Error('no response to read')
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: await text(incoming) }
}
