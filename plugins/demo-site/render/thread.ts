import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { limitConcurrency, workerResult } from '../../../kernel/index.ts'
import { type PageRender, renderPage } from './document.ts'

/** The characters of a page up to which it is rendered within a few milliseconds; a megabyte takes up to three seconds. */
const small = 32 * 1024
/** A large page takes memory: one is rendered at a time. */
const limited = limitConcurrency(1)

/** What can be handed to a thread: all but the components of a site. */
type PlainRender = Omit<PageRender, 'blocks'>

/** Renders a page as `renderPage` does, a large one in a thread, so that others are answered meanwhile. */
export async function renderAside(render: PlainRender): Promise<string> {
  if (JSON.stringify(render.page).length <= small) return renderPage(render)
  return limited(async () => {
    const worker = new Worker(new URL('./page-worker.ts', import.meta.url), {
      workerData: render,
      env: {},
      execArgv: [],
    })
    return v.parse(v.string(), await workerResult(worker))
  })
}
