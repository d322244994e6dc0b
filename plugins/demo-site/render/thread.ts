import { parentPort, Worker, workerData } from 'node:worker_threads'
import { limitConcurrency } from '../../../kernel/index.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { type PageRender, renderPage } from './document.ts'

/** The characters of a page up to which it is rendered within a few milliseconds; a megabyte takes up to three seconds. */
const small = 32 * 1024
/** A large page takes memory: one is rendered at a time. */
const limited = limitConcurrency(1)
const key = 'content-orchestrator: rendered page'

/** What can be handed to a thread: all but the components of a site. */
type PlainRender = Omit<PageRender, 'blocks'>

/** Renders a page as `renderPage` does, a large one in a thread, so that others are answered meanwhile. */
export async function renderAside(render: PlainRender): Promise<string> {
  if (JSON.stringify(render.page).length <= small) return renderPage(render)
  // Where the bundler of a website moved this module, no thread can load it.
  return limited(() => renderInThread(render).catch(() => renderPage(render)))
}

async function renderInThread(render: PlainRender): Promise<string> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { [key]: render },
    env: {},
    execArgv: [],
  })
  try {
    return await new Promise<string>((resolve, reject) => {
      worker
        .once('message', resolve)
        .once('error', reject)
        .once('exit', () => reject(new Error('the thread has rendered nothing')))
    })
  } finally {
    await worker.terminate()
  }
}

const isRender = (value: unknown): value is PlainRender => isPlainObject(value) && 'page' in value

// In a thread of `renderInThread`, which loads this module or the bundle that has it.
const given = isPlainObject(workerData) ? workerData[key] : undefined
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is not a window
if (isRender(given)) parentPort?.postMessage(renderPage(given))
