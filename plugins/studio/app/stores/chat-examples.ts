/** Messages that work on a page without a language model: they say exactly what to change. */
import { computed } from '@preact/signals'
import { labelOf, manifest, type BlockType } from './block-types.ts'
import { blocks, type Block } from './draft.ts'

const most = 10
const standard = ['FAQAccordion', 'Testimonials', 'CTA', 'Stats', 'Quote']

/** Examples for the shown page. */
export const examples = computed(() => examplesFor(blocks.value, manifest.value?.blocks ?? []))

/** Examples for the blocks of a page that their type alone names. */
function examplesFor(blocks: readonly Block[], types: readonly BlockType[]): readonly string[] {
  const typeOf = new Map(types.map((type) => [type.type, type]))
  const called = (name: string): string => typeOf.get(name)?.displayName ?? name
  const own = blocks.filter(({ type }) => typeOf.get(type)?.chrome !== true)
  const single = own.filter(({ type }) => blocks.filter((each) => each.type === type).length === 1)
  const texts = single.flatMap(({ type, props }) =>
    Object.entries(typeOf.get(type)?.fields ?? {})
      .filter(([name, { kind, internal }]) => kind === 'text' && !internal && typeof props[name] === 'string')
      .slice(0, 2)
      .map(([name, field]) => {
        const label = labelOf(name, field).toLowerCase()
        return `Change the ${called(type)} ${label} to "A new ${label}"`
      }),
  )
  const last = single.at(-1)
  const missing = standard.find((type) => typeOf.has(type) && !blocks.some((each) => each.type === type))
  return [
    ...texts.slice(0, 4),
    ...(last && own.indexOf(last) > 0 ? [`Move the ${called(last.type)} section to the top`] : []),
    ...single.slice(1, 2).map(({ type }) => `Duplicate the ${called(type)} section`),
    ...single.slice(-1).map(({ type }) => `Remove the ${called(type)} section`),
    ...(missing === undefined ? [] : [`Add a ${called(missing)} section`]),
    'Set the meta description to "One sentence about this page"',
    'Create a page called "News from the workshop"',
  ].slice(0, most)
}
