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

export const benches = { streams }
