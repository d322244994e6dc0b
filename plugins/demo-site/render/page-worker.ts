/** Renders the page in `workerData`, and posts the document. */
import { parentPort, workerData } from 'node:worker_threads'
import { type PageRender, renderPage } from './document.ts'

const render: PageRender = workerData
parentPort?.postMessage(renderPage(render))
