/** The bundler, and what it makes for browsers and threads. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle, type InputOptions, type RolldownOutput } from 'rolldown'

export { bundle }

const root = fileURLToPath(new URL('..', import.meta.url))
const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Returns the script of draft pages, an expression for the function that starts it. */
async function buildPreview(): Promise<string> {
  const code = await toModule('plugins/site/browser/start.ts')
  // `livePreviewScript` adds the call.
  return inPage(`(()=>{${code.replace(/export\{(\w+) as start\};$/, 'return $1')}})()`)
}

/**
 * Returns the scripts of pages that carry no marks by name: `early.js`, which is in the page, `texts.js`, which starts by
 * itself, and what that loads later.
 */
async function buildTexts(): Promise<Readonly<Record<string, string>>> {
  const { output } = await bundle({
    ...forBrowsers,
    input: { texts: 'plugins/site/browser/texts/start.ts' },
    output: { ...tight, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  })
  const early = await toModule('plugins/site/browser/texts/early.ts')
  return { ...scriptsIn(output), 'early.js': inPage(`(()=>{${early}})()`) }
}

/** A script in a page must not end it. */
const inPage = (code: string): string =>
  code.replaceAll('</', String.raw`<\/`).replaceAll('<!--', String.raw`<\!--`)

const scriptsIn = (output: RolldownOutput['output']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code.trim()]] : [])),
  )

const studio = 'plugins/studio/app'

/** Returns the files of the studio by name; the names carry a hash of the content. */
async function buildStudio(): Promise<Readonly<Record<string, string>>> {
  const icons = readSource(`${studio}/icons.svg`)
  const css = stylesheet()
  const icon = readSource(`${studio}/icon.svg`)
  const files = {
    [hashed('icons', 'svg', icons)]: icons,
    [hashed('studio', 'css', css)]: css,
    [hashed('icon', 'svg', icon)]: icon,
  }
  const [svg = '', sheet = '', favicon = ''] = Object.keys(files)
  const { scripts, js, chunks } = await studioScripts()
  const page = readSource(`${studio}/index.html`)
    .replace('FAVICON', favicon)
    .replace('ICONS', svg)
    .replace('STYLES', sheet)
    .replace('SCRIPT', js)
    .split('\n')
    .flatMap((line) => (line.includes('CHUNK') ? chunks.map((name) => line.replace('CHUNK', name)) : line))
    .join('\n')
  return { 'index.html': page, ...files, ...scripts }
}

/** The scripts of the studio: the first one, the chunks that it always needs, and those that it loads later. */
async function studioScripts() {
  const { output } = await bundle({
    cwd: root,
    input: { studio: `${studio}/main.tsx` },
    platform: 'browser',
    write: false,
    output: {
      format: 'esm',
      minify: true,
      comments: false,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
    },
    // A missing package would be left to the browser, which has none.
    onLog(level, log, handle) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      handle(level, log)
    },
    logLevel: 'warn',
  })
  const found = output.filter((file) => file.type === 'chunk')
  const entry = found.find(({ isEntry }) => isEntry)
  return { scripts: scriptsIn(output), js: entry?.fileName ?? '', chunks: entry?.imports ?? [] }
}

const hashed = (name: string, type: string, text: string): string =>
  `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 10)}.${type}`

/** The styles in the order of their names, each in a layer of its own. */
const stylesheet = (): string =>
  readdirSync(join(root, studio, 'styles'))
    .toSorted()
    .map((name) => readSource(`${studio}/styles/${name}`))
    .join('\n')

/** Leaves the white space out of style sheets that are in a source as `const styles`. */
const tightStyles = {
  name: 'tight-styles',
  transform: (code: string) =>
    code.replace(/(?<=\bconst styles = `)[^`]*/g, (sheet) =>
      sheet
        .split(/([{};,])/)
        .map((part) => part.trim())
        .join('')
        .replaceAll(';}', '}')
        .replaceAll(/(?<=[{;(][\w-]+): /g, ':'),
    ),
}

const forBrowsers = {
  cwd: root,
  platform: 'browser' as const,
  plugins: [tightStyles],
  write: false as const,
  logLevel: 'warn' as const,
}
const tight = { format: 'esm', minify: true, comments: false, generatedCode: { symbols: false } } as const

async function toModule(input: string, options: InputOptions = {}): Promise<string> {
  const built = await bundle({
    ...forBrowsers,
    input,
    output: { ...tight, codeSplitting: false },
    ...options,
  })
  return built.output[0].code.trim()
}

/** Modules of which a thread uses nothing are left out: they would start a logger. */
const forThreads = { platform: 'node', treeshake: { moduleSideEffects: false } } as const

/**
 * Replaces the address of a worker's file by its code: a bundler of a website leaves such a file out, or bundles it
 * with the server, which then starts again in the thread.
 */
export const inlineWorkers = {
  name: 'inline-workers',
  async transform(code: string, id: string) {
    const [address, path] = /new URL\('(\.\/[\w-]+-worker\.ts)', import\.meta\.url\)/.exec(code) ?? []
    if (address === undefined || path === undefined) return null
    const worker = Buffer.from(await toModule(join(dirname(id), path), forThreads))
    return code.replace(address, `new URL('data:text/javascript;base64,${worker.toString('base64')}')`)
  },
}

/** What the sources read from `.built`, by the exports of the modules that the package replaces by it. */
export async function buildForBrowsers() {
  return {
    previewScript: await buildPreview(),
    pageTextsScripts: await buildTexts(),
    studioFiles: await buildStudio(),
  }
}

/** The modules that the package replaces, with their exports. */
export const builtModules = {
  'plugins/site/browser/built.ts': 'previewScript',
  'plugins/site/browser/texts/built.ts': 'pageTextsScripts',
  'plugins/studio/built.ts': 'studioFiles',
} as const

if (import.meta.main) {
  const { previewScript, pageTextsScripts, studioFiles } = await buildForBrowsers()
  const folder = join(root, '.built')
  rmSync(folder, { recursive: true, force: true })
  for (const [part, files] of Object.entries({ studio: studioFiles, 'page-texts': pageTextsScripts })) {
    mkdirSync(join(folder, part), { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, part, name), text)
  }
  // Last, because its time says that all is built.
  writeFileSync(join(folder, 'preview.js'), previewScript)
}
