import { get } from 'node:http'
import { report, startServer } from './harness.ts'
import type { Bench } from './run.ts'

const streams: Bench = async (folder) => {
  const server = await startServer('standalone', { dataDir: await folder() })
  const sizes: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = await server.memory()
    const open = await Promise.all(Array.from({ length: 1_000 }, () => listen(`${server.url}/events?session=dev`)))
    sizes.push(((await server.memory()) - before) / open.length / 1024)
    for (const close of open) close()
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await server.stop()
  return report('1,000 idle /events streams, memory each', sizes, { atMost: 20 }, ' KB')
}

const chatStreams: Bench = async (folder) => {
  const server = await startServer('chat', { dataDir: await folder() })
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    return (await answer.json()) as Record<string, unknown>
  }
  const sizes: number[] = []
  // The first two rounds let the process itself grow, which so few streams would be blamed for.
  for (let round = -2; round < 5; round++) {
    const before = await server.memory()
    const open: { readonly streamId: unknown; readonly close: () => void }[] = []
    // One after another, so that the requests share a connection and only the streams are measured.
    for (let index = 0; index < 200; index++) {
      const { streamId } = await post('/chat/start', { session: `s${index}`, slug: '/', message: 'Change the heading of the hero' })
      open.push({ streamId, close: await listen(`${server.url}/chat/stream?streamId=${String(streamId)}`) })
    }
    // Long enough for a few heartbeats, which are kept for whoever comes back.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const size = ((await server.memory()) - before) / open.length / 1024
    if (round >= 0) sizes.push(size)
    for (const { streamId, close } of open) {
      close()
      await post('/chat/cancel', { streamId })
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await server.stop()
  return report('200 open chat streams, memory each', sizes, { atMost: 60 }, ' KB')
}

/** Opens an event stream and resolves when its first bytes are there. */
function listen(url: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      response.once('data', () => resolve(() => request.destroy()))
      response.on('error', () => undefined)
    })
    request.once('error', reject)
  })
}

export const benches = { streams, chatStreams }
