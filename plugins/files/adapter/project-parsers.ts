/** Parsers of templates that a website has among its own packages, loaded when a file needs one. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  astroTexts,
  olderAstroTexts,
  svelteTexts,
  vueTexts,
  type AstroCompiler,
  type SvelteCompiler,
  type VueCompiler,
} from '../framework-parsers.ts'
import { jsxTexts, typeScriptTexts, type TypeScriptParser } from '../template-parsers.ts'
import type { TemplateParser } from '../template.ts'

interface ProjectParser {
  /** What is loaded. */
  readonly from: string
  /** The package whose dependency it may be. */
  readonly of?: string
  /** What it must have to be one of the versions that are known. */
  readonly has: string
  create(module: never, ending: string): TemplateParser
}

const compiler = { of: 'astro', has: 'parse' } as const
const hasJsx = (ending: string): boolean => !/^[mc]?ts$/.test(ending)

interface BabelOptions {
  readonly sourceType: 'module'
  readonly plugins: readonly string[]
}
type BabelParse = (text: string, options: BabelOptions) => unknown

const babelTexts =
  (parse: BabelParse) =>
  (ending: string): TemplateParser => {
    const plugins = hasJsx(ending) ? ['jsx', 'typescript'] : ['typescript']
    return jsxTexts((text) => parse(text, { sourceType: 'module', plugins }))
  }

const code: readonly ProjectParser[] = [
  {
    from: 'typescript',
    has: 'createSourceFile',
    create: (module: TypeScriptParser, ending) => typeScriptTexts(module, hasJsx(ending)),
  },
  {
    from: '@babel/parser',
    of: '@babel/core',
    has: 'parse',
    create: ({ parse }: { readonly parse: BabelParse }, ending) => babelTexts(parse)(ending),
  },
  {
    from: 'rolldown/utils',
    of: 'vite',
    has: 'parseSync',
    create: ({ parseSync }: RolldownParser, ending) =>
      jsxTexts((text) => {
        const { program, errors } = parseSync(hasJsx(ending) ? 'page.tsx' : 'page.ts', text)
        if (errors[0]) throw new Error(errors[0].message)
        return program
      }),
  },
  {
    from: 'vue/compiler-sfc',
    of: 'vitepress',
    has: 'babelParse',
    create: ({ babelParse }: { readonly babelParse: BabelParse }, ending) => babelTexts(babelParse)(ending),
  },
]

/** What has no JSX and no types. */
const plainCode: readonly ProjectParser[] = [
  ...code,
  {
    from: 'acorn',
    of: '@11ty/eleventy',
    has: 'parse',
    create: ({ parse }: { readonly parse: AcornParse }) =>
      jsxTexts((text) => parse(text, { ecmaVersion: 'latest', sourceType: 'module' })),
  },
]

type AcornParse = (
  text: string,
  options: { readonly ecmaVersion: 'latest'; readonly sourceType: 'module' },
) => unknown

interface RolldownParser {
  parseSync(
    name: string,
    text: string,
  ): { readonly program: unknown; readonly errors: readonly { readonly message: string }[] }
}

/** By the ending of a file, the first that is there. */
const parsers: Readonly<Record<string, readonly ProjectParser[]>> = {
  astro: [
    { ...compiler, from: '@astrojs/compiler-rs', create: (module: AstroCompiler) => astroTexts(module) },
    {
      ...compiler,
      from: '@astrojs/compiler/sync',
      create: (module: AstroCompiler) => olderAstroTexts(module),
    },
  ],
  vue: [
    { from: 'vue/compiler-sfc', has: 'parse', create: (module: VueCompiler) => vueTexts(module) },
    {
      from: '@vue/compiler-sfc',
      of: 'nuxt',
      has: 'parse',
      create: (module: VueCompiler) => vueTexts(module),
    },
  ],
  svelte: [
    { from: 'svelte/compiler', has: 'parse', create: (module: SvelteCompiler) => svelteTexts(module) },
  ],
  jsx: code,
  tsx: code,
  ts: code,
  mts: code,
  js: plainCode,
  mjs: plainCode,
}

/** The endings of the files that need a parser of the website. */
export const parsedByProject: readonly string[] = Object.keys(parsers)

/** Whether a file is code, of which only some shows texts. */
export const isCodePath = (path: string): boolean => /\.m?[jt]s$/.test(path)

/**
 * Loads the parser for the files of a folder by their ending, from the packages that the folder resolves.
 * Returns why there is none as a part of a sentence.
 */
export function projectParser(
  folder: string,
  ending: string,
): { readonly parser: TemplateParser } | { readonly missing: string } {
  const require = createRequire(join(folder, 'any.js'))
  const known = parsers[ending] ?? []
  for (const { from, of, has, create } of known) {
    const module = loaded(require, from) ?? (of === undefined ? undefined : loadedOf(require, of, from))
    if (module && typeof module[has] === 'function') return { parser: create(module as never, ending) }
  }
  const names = known.map(({ from }) => from).join(' or ')
  return { missing: `reading it takes ${names}, which the website has not installed` }
}

type Module = Readonly<Record<string, unknown>>

function loaded(require: NodeJS.Require, name: string): Module | undefined {
  try {
    return require(name) as Module
  } catch {
    // A package that does not run here is as good as none.
    return undefined
  }
}

function loadedOf(require: NodeJS.Require, owner: string, name: string): Module | undefined {
  try {
    return loaded(createRequire(require.resolve(`${owner}/package.json`)), name)
  } catch {
    return undefined
  }
}
