/** A website whose files are its content, and a service that edits them. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import * as v from 'valibot'
import { contentFiles, fileBlocks } from '../../config/content-files.ts'
import { give, type Seed } from '../../kernel/index.ts'
import { contentAdapter, type ContentAdapter } from '../../plugins/content/adapter.ts'
import { generateManifest, ManifestDocument } from '../../plugins/content/manifest.ts'
import type { Page } from '../../plugins/content/page.ts'
import { createRegistry } from '../../plugins/content/registry.ts'
import { hostSite } from '../../plugins/sites/port.ts'
import { withDraft } from './publishing.ts'
import { temporaryFolder } from './stack.ts'
import { draftOf, siteId } from './website.ts'

/** A website as Astro has it, with two posts and data. */
export const astro = {
  'astro.config.mjs': '',
  'package.json': '{}\n',
  'README.md': '# Site\n',
  'src/content/blog/boats.md':
    '---\ntitle: Boats   # of wood\ntags: [oak,   elm]\n---\n\n## Planks\n\nOne *old* plank.\n\nTwo planks.\n\nThree planks.\n',
  'src/content/blog/oars.md': '# Oars\r\n\r\nMade of ash.\r\n',
  'src/data/team.json': '{\n  "name": "Ida",   "age": 40\n}\n',
}

/** Writes files into a folder, which is a new one by default; those without a text are removed. */
export function filesIn(
  t: Test,
  files: Readonly<Record<string, string | undefined>>,
  folder = temporaryFolder(t),
) {
  const set = (more: Readonly<Record<string, string | Buffer | undefined>>): void => {
    for (const [path, text] of Object.entries(more)) {
      const place = join(folder, path)
      mkdirSync(dirname(place), { recursive: true })
      if (text === undefined) rmSync(place)
      else writeFileSync(place, text)
    }
  }
  set(files)
  const text = (path: string): string => readFileSync(join(folder, path), 'utf8')
  /** Replaces a part of a file, as a developer does. */
  const edit = (path: string, from: string, to: string): void => {
    if (!text(path).includes(from)) throw new Error(`${path} has no ${from}`)
    set({ [path]: text(path).replace(from, to) })
  }
  return { folder, set, text, edit }
}

/** Returns a page with its last block as it is in a round. */
export const stateOf = (page: Page, round: number): Page => ({
  ...page,
  blocks: page.blocks.map((block, n) =>
    n === page.blocks.length - 1 ? { ...block, props: { text: `Round ${round}.` } } : block,
  ),
})

export const boats = '/~src/content/blog/boats.md'

const manifest = v.parse(
  ManifestDocument,
  generateManifest(createRegistry(Object.entries(fileBlocks).map(([type, each]) => ({ type, ...each })))),
)

/** What a service has whose own site are these files. */
export const siteOfFiles = (files: ContentAdapter): readonly Seed[] => [
  give(contentAdapter, files),
  give(hostSite, { demoContent: false, blocks: manifest }),
]
export const ofSite = { ORCHESTRATOR_DEFAULT_SITE_ID: siteId }

/** A service whose site is a folder. */
export async function serviceOn(
  t: Test,
  folder: string,
  {
    variables = {},
    adapter = contentFiles(folder),
  }: {
    readonly variables?: Readonly<Record<string, string | undefined>>
    readonly adapter?: ContentAdapter
  } = {},
) {
  const env = { ...ofSite, ...variables }
  const setup = await withDraft(t, { env, seeds: siteOfFiles(adapter) }, [])
  const as = (session: string) => personOn(draftOf((request) => setup.mounted.inject(request), session))
  return { ...as('dev'), as }
}

function personOn(draft: ReturnType<typeof draftOf>) {
  /** Returns the id of the block with a text. */
  const idOf = async (slug: string, text: string): Promise<string> => {
    const { blocks } = await draft.page(slug)
    const found = blocks.find(({ props }) => props['text'] === text)
    if (!found) throw new Error(`${slug} has no block ${text}`)
    return found.id
  }
  return {
    ...draft,
    idOf,
    texts: async (slug: string) => (await draft.page(slug)).blocks.map(({ props }) => props['text']),
    /** Changes the text of a block, and returns the answer. */
    retext: async (slug: string, from: string, to: string) =>
      draft.ops([
        { op: 'update_props', pageSlug: slug, blockId: await idOf(slug, from), patch: { text: to } },
      ]),
  }
}
