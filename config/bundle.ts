/** The bundler, and the scripts for browsers that it makes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'rolldown'

export { bundle }

const root = fileURLToPath(new URL('..', import.meta.url))
/** The module that returns the script of draft pages. */
export const previewModule = 'plugins/site/browser/built.ts'

/** Returns the script of draft pages, an expression for the function that starts it. */
export async function buildPreview(): Promise<string> {
  const { output } = await bundle({
    cwd: root,
    input: 'plugins/site/browser/start.ts',
    platform: 'browser',
    write: false,
    output: { format: 'iife', name: 'draftPreview', minify: true, comments: false },
    logLevel: 'warn',
  })
  const code = output[0].code.trim()
  // A script in a page must not end it, and `livePreviewScript` adds the call.
  return `(()=>{${code};return draftPreview.start})()`
    .replaceAll('</', String.raw`<\/`)
    .replaceAll('<!--', String.raw`<\!--`)
}

if (import.meta.main) {
  mkdirSync(new URL('../.built/', import.meta.url), { recursive: true })
  writeFileSync(new URL('../.built/preview.js', import.meta.url), await buildPreview())
}
