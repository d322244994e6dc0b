/** Small valid recordings, and a local server of the transcription API of OpenAI. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { answering } from './answers.ts'
import { listen } from './raw.ts'

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
const silence = Array<number>(64).fill(0)

/** By the file extension that is sent. */
export const recordings = {
  wav: bytes(
    'RIFF',
    [100, 0, 0, 0],
    'WAVEfmt ',
    [16, 0, 0, 0, 1, 0, 1, 0, 64, 31, 0, 0, 128, 62, 0, 0, 2, 0, 16, 0],
    'data',
    [64, 0, 0, 0],
    silence,
  ),
  mp3: bytes('ID3', [4, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x64], silence),
  mp4: bytes([0, 0, 0, 24], 'ftypiso5', [0, 0, 2, 0], 'iso5iso6', silence),
  m4a: bytes([0, 0, 0, 24], 'ftypM4A ', [0, 0, 2, 0], 'M4A mp42', silence),
  webm: bytes([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84], 'webm', silence),
  ogg: bytes('OggS', [0, 2, ...Array<number>(20).fill(0), 1, 19], 'OpusHead', silence),
  flac: bytes('fLaC', [0, 0, 0, 34], silence),
} as const

/** A received request. */
export interface SeenRecording {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The text fields of the form. */
  readonly fields: Readonly<Record<string, string>>
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer } | undefined
}

export type Answering = (response: ServerResponse, seen: SeenRecording) => unknown

/** Starts a server of the transcription API on a free port of 127.0.0.1. */
export async function startTranscriptions(
  t: Parameters<typeof listen>[0],
  answer: Answering = transcribing('Hello there.'),
) {
  const seen: SeenRecording[] = []
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    const { url, headers } = request
    void buffer(request)
      .then(async (body) => {
        const form = await new Response(new Uint8Array(body), {
          headers: { 'content-type': headers['content-type'] ?? '' },
        }).formData()
        const file = form.get('file')
        const fields = Object.fromEntries(
          [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
        )
        const call = {
          url,
          headers,
          fields,
          file:
            file instanceof File
              ? { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) }
              : undefined,
        }
        seen.push(call)
        await api.answer(response, call)
      })
      .catch(() => response.destroy())
  })
  let open = 0
  server.on('connection', (socket) => {
    open++
    socket.on('close', () => open--)
  })
  const baseUrl = `http://127.0.0.1:${await listen(t, server)}/v1`
  const api = {
    answer,
    seen,
    baseUrl,
    env: { OPENAI_API_KEY: 'sk-marker-key-0123456789', OPENAI_BASE_URL: baseUrl },
    /** How many connections are open. */
    open: () => open,
  }
  return api
}

/** Answers with a text. */
export const transcribing = (text: string): Answering =>
  answering(200, { text, usage: { type: 'tokens', total_tokens: 7 } })

/** Fails as OpenAI does. */
export const failing = (
  status: number,
  code: string | null,
  message = `marker ${String(code)}`,
): Answering => {
  const error = { message, type: 'invalid_request_error', param: null, code }
  return answering(status, { error }, { 'x-request-id': 'req_test' })
}
