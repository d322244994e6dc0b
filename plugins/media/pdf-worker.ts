/** Reads the text of the PDF in `workerData`, and posts a `PdfReply`. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

export interface PdfRequest {
  readonly bytes: Uint8Array
  /** A package name, or the path of a module. */
  readonly library: string
  /** The address of the module that looks for the library. */
  readonly from: string
  /** Milliseconds after which no further page is started. */
  readonly workMs: number
  /** The number of characters after which no further page is started. */
  readonly maxCharacters: number
  /** The maximum array size for a decompressed stream, in bytes. */
  readonly maxDecompressed: number
}

/** `missing` if the library is not installed. */
export type PdfReply =
  'missing' | { readonly pageCount: number; readonly text: string; readonly isWhole: boolean }

const { bytes, library, from, workMs, maxCharacters, maxDecompressed }: PdfRequest = workerData

// The library does not limit decompression. Without this class it uses its own decoders, which grow one array each.
Reflect.deleteProperty(globalThis, 'DecompressionStream')
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, [first, ...rest], newTarget): object {
    if (first > maxDecompressed) throw new RangeError('decompressed stream is too large')
    return Reflect.construct(target, [first, ...rest], newTarget)
  },
})

const reply = await read()
parentPort?.postMessage(reply)

/** Resolves the library from the module that asked or, in a bundle, from the working directory. */
function load(): typeof import('unpdf') {
  try {
    return createRequire(from)(library)
  } catch {
    return createRequire(join(process.cwd(), 'index.js'))(library)
  }
}

async function read(): Promise<PdfReply> {
  let loaded
  try {
    loaded = load()
  } catch {
    return 'missing'
  }
  const pdf = await loaded.getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false })
  const until = performance.now() + workMs
  let text = ''
  let page = 0
  while (page < pdf.numPages && text.length <= maxCharacters && performance.now() < until) {
    const { items } = await (await pdf.getPage(++page)).getTextContent()
    const parts = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    text += `${parts.join('').slice(0, maxCharacters + 1)}\n\n`
  }
  return { pageCount: pdf.numPages, text, isWhole: page === pdf.numPages }
}
