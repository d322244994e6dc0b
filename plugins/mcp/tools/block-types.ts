import * as v from 'valibot'
import { parseManifest } from '../../content/manifest.ts'
import type { BlockType } from '../../content/model.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { nothing } from '../arguments.ts'
import { defineTool, Failed, type Tool, type Toolbox } from '../tool.ts'

/** The block types that the website declares, else those that come with the service. */
export async function blockTypes({ siteBlocks }: Pick<Toolbox, 'siteBlocks'>): Promise<readonly BlockType[]> {
  const verdict = parseManifest(await siteBlocks(), builtinRegistry)
  if (!verdict.ok) throw new Failed(`The website declares block types that cannot be used: ${verdict.path} ${verdict.problem}`)
  return (verdict.manifest ?? builtinRegistry).types()
}

/** Tools for what blocks there may be. */
export const blockTypeTools: readonly Tool[] = [
  defineTool({
    name: 'list-block-types',
    description: 'Lists the types that blocks may have.',
    input: nothing,
    reads: true,
    byDefault: true,
    routes: [],
    async run(_, box) {
      const types = await blockTypes(box)
      return { json: { blockTypes: types.map(({ type, displayName, description, category, chrome }) => ({ type, displayName, description, category, ...(chrome && { chrome }) })) } }
    },
  }),
  defineTool({
    name: 'get-block-schema',
    description: 'Tells which props a type of block has.',
    input: v.object({ type: v.pipe(v.string(), v.nonEmpty(), v.description('As list-block-types shows it.')) }),
    reads: true,
    byDefault: true,
    routes: [],
    async run({ type: wanted }, box) {
      const types = await blockTypes(box)
      const found = types.find(({ type }) => type === wanted)
      if (!found) throw new Failed(`There is no such block type. The types are ${types.map(({ type }) => type).join(', ')}.`)
      const { starter, ...facts } = found
      return { json: { ...facts, starter: starter() } }
    },
  }),
]
