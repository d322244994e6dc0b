import { join } from 'node:path'
import * as v from 'valibot'
import { form, largePng } from '../helpers/media-files.ts'
import { fill, inTurn, linesOf, measure, post, report, startServer } from './harness.ts'
import { siteOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const Uploaded = v.object({ url: v.string(), fileName: v.string() })

const image: Bench = async (folder) => {
  const dataDir = await folder()
  const ours = await startServer('standalone', { dataDir })
  const { headers, body } = form({ field: 'image', type: 'image/png', bytes: largePng(200 * 1024) })
  const answer = await fetch(`${ours.url}/image/upload`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  const { url, fileName } = v.parse(Uploaded, await answer.json())
  const path = new URL(url).pathname
  const bare = await startServer('file', {
    headers: (await linesOf(`${ours.url}${path}`)).headers,
    file: join(dataDir, 'generated-images', fileName),
  })
  const load = { path, amount: 2_000 }
  const ratios = await inTurn(
    9,
    async () => (await measure(bare, load)).cpu,
    async () => (await measure(ours, load)).cpu,
  )
  await Promise.all([ours.stop(), bare.stop()])
  return report('GET /generated-images 200 KB, share of bare', ratios, { atLeast: 0.8 })
}

const checks: Bench = async (folder) => {
  const first: number[] = []
  const again: number[] = []
  const pages = siteOf(1_000, 4_000)
  for (let round = 0; round < 5; round++) {
    const ours = await startServer('standalone', { dataDir: await folder() })
    // Until the response begins: reading 700 KB of findings is work of the client.
    const timed = async (): Promise<number> => {
      const began = performance.now()
      const answer = await fetch(`${ours.url}/checks?session=dev`)
      const took = performance.now() - began
      await answer.text()
      return took
    }
    await fill(ours, pages)
    first.push(await timed())
    for (let change = 0; change < 30; change++) {
      await post(ours, '/ops', {
        ops: [{ op: 'update_props', pageSlug: '/', blockId: target, patch: { title: `Title ${change}` } }],
      })
      const took = await timed()
      // The first rounds are a warm-up.
      if (change >= 10) again.push(took)
    }
    await ours.stop()
  }
  const passed = report('checks of 1,000 pages, the first time', first, { atMost: 1_500 }, ' ms')
  return report('checks of 1,000 pages, after one changed', again, { atMost: 20 }, ' ms') && passed
}

export const benches = { image, checks }
