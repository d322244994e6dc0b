import { readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { form, pdf, textField } from '../helpers/media-files.ts'
import { startService } from '../prove/service.ts'
import { report, startServer } from './harness.ts'
import type { Bench } from './run.ts'

const streams: Bench = async (folder) => {
  const server = await startServer('standalone', { dataDir: await folder() })
  const sizes: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = await server.memory()
    const open = await Promise.all(
      Array.from({ length: 1_000 }, () => listen(`${server.url}/events?session=dev`)),
    )
    sizes.push(((await server.memory()) - before) / open.length / 1024)
    for (const close of open) close()
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await server.stop()
  return report('1,000 idle /events streams, memory each', sizes, { atMost: 20 }, ' KB')
}

const chatStreams: Bench = async (folder) => {
  const sizes = { resident: [] as number[], live: [] as number[] }
  // A new server each time: free heap of a used one would hide the cost of the next streams.
  for (let round = 0; round < 5; round++) {
    const server = await startServer('chat', { dataDir: await folder() }, smallNursery)
    // Warm-up: loads modules, not measured.
    for (const close of await openChats(server.url, 'warm', 20)) close()
    const before = { resident: await server.memory(), live: await server.live() }
    const open = await openChats(server.url, 'open', 200)
    // Long enough for a few heartbeats, which are buffered for reconnects.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    sizes.resident.push(((await server.memory()) - before.resident) / open.length / 1024)
    sizes.live.push(((await server.live()) - before.live) / open.length / 1024)
    for (const close of open) close()
    await server.stop()
  }
  const passed = report('200 open chat streams, resident memory each', sizes.resident, { atMost: 60 }, ' KB')
  return report('the same, objects and buffers in use', sizes.live, { atMost: 60 }, ' KB') && passed
}

/** Limits the young generation, whose growth would be attributed to the few streams. */
const smallNursery = ['--max-semi-space-size=1']

/** Starts and follows a run in each of `count` sessions, sequentially, so that the requests share a connection. */
async function openChats(url: string, name: string, count: number): Promise<readonly (() => void)[]> {
  const open: (() => void)[] = []
  for (let index = 0; index < count; index++) {
    const body = JSON.stringify({
      session: `${name}${index}`,
      slug: '/',
      message: 'Change the heading of the hero',
    })
    const started = await fetch(`${url}/chat/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const { streamId } = (await started.json()) as { streamId: string }
    open.push(await listen(`${url}/chat/stream?streamId=${streamId}`))
  }
  return open
}

/** Opens an event stream and resolves with its first bytes. */
function listen(url: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      response.once('data', () => resolve(() => request.destroy()))
      response.on('error', () => undefined)
    })
    request.once('error', reject)
  })
}

/** Mebibytes in use during the upload of a PDF of 25 MiB, and of reading its text, if requested. */
async function uploadOf(
  folder: string,
  more: readonly Uint8Array[],
  flags: readonly string[] = [],
): Promise<number> {
  const running = startService(folder, { flags })
  const url = `http://127.0.0.1:${(await running.ready).port}`
  const attach = async (bytes: Uint8Array): Promise<void> => {
    const { headers, body } = form({ type: 'application/pdf', bytes }, more)
    const { status } = await fetch(`${url}/attachment/upload`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    if (status !== 200) throw new Error(`the upload was answered ${status}`)
  }
  const resident = async (): Promise<number> =>
    Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1024
  // Warm-up: loads modules, not measured.
  for (let time = 0; time < 3; time++) await attach(pdf())
  const before = await resident()
  let most = before
  const watch = setInterval(() => void resident().then((now) => (most = Math.max(most, now))), 5)
  await attach(pdf('', '', 25 * 1024 * 1024 - 1000))
  clearInterval(watch)
  most = Math.max(most, await resident())
  running.kill('SIGTERM')
  await running.gone
  return most - before
}

const uploads: Bench = async (folder) => {
  const alone: number[] = []
  const held: number[] = []
  const read: number[] = []
  for (let round = 0; round < 5; round++) {
    alone.push(await uploadOf(await folder(), [textField('extractText', '0')]))
    held.push(await uploadOf(await folder(), [textField('extractText', '0')], smallNursery))
    read.push(await uploadOf(await folder(), []))
  }
  report('an upload of 25 MiB whose text is read, resident memory at most', read, {}, ' MiB')
  const passed = report('an upload of 25 MiB, resident memory at most', alone, { atMost: 8 }, ' MiB')
  return report('the same, with little room for new objects', held, { atMost: 4 }, ' MiB') && passed
}

export const benches = { streams, chatStreams, uploads }
