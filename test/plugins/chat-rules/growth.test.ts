import t from 'tap'
import { parseManifest } from '../../../plugins/content/manifest.ts'
import type { BlockType, Fields, Manifest } from '../../../plugins/content/model.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import { inputFor, planByRules } from '../../helpers/chat-rules.ts'
import { pageOf } from '../../helpers/content.ts'

const [fieldCount, blockCount] = [300, 200]
const named = (label?: string) =>
  Object.fromEntries(
    Array.from({ length: fieldCount }, (_, at) => [
      `list${at}`,
      { kind: 'list', itemFields: {}, ...(label !== undefined && { label }) },
    ]),
  )

/** A manifest that counts how often all fields of its type are listed. */
function countingManifest(fields: object) {
  const parsed = parseManifest(
    { version: 1, blocks: [{ type: 'CTA', propsSchema: {}, fields }] },
    builtinRegistry,
  )
  if (!parsed.ok || !parsed.manifest) throw new Error('the manifest is refused')
  let listed = 0
  const counting = (type: BlockType): BlockType => ({
    ...type,
    fields: new Proxy<Fields>(type.fields, {
      ownKeys: (target) => {
        listed += 1
        return Reflect.ownKeys(target)
      },
    }),
  })
  const types = parsed.manifest.types().map(counting)
  const manifest: Manifest = { get: (type) => types.find((each) => each.type === type), types: () => types }
  return { manifest, listed: () => listed }
}

const blocks = Array.from({ length: blockCount }, (_, at) => ({
  id: `b${at}`,
  type: 'CTA',
  props: { title: 'x' },
}))

t.test('a message costs what the pages have, not that times what the site declares', (t) => {
  for (const label of [undefined, 'Card'])
    for (const message of [
      'replace "x" with "y" on all pages',
      'please could you swap "x" and "y" on the card page',
      'remove the third card of the second section',
      'delete the second row',
      'move the last card to the top',
    ]) {
      const { manifest, listed } = countingManifest({ title: { kind: 'text' }, ...named(label) })
      planByRules(
        inputFor('/', message, {
          manifest,
          maxOperations: 20,
          draft: { version: 1, pages: [pageOf('/', blocks)], config: {} },
        }),
      )
      t.ok(listed() < blockCount / 2, `${message}: all fields are listed ${listed()} times`)
    }
  t.end()
})
