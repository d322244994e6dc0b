/** Messages that work on a page without a language model: they say exactly what to change. */
import { computed } from '@preact/signals'
import { labelOf, manifest, displayNameOf, typeOf, type BlockType } from '../stores/block-types.ts'
import { blocks, type Block } from '../stores/draft.ts'
import { pathAt, valueAt } from '../stores/place.ts'
import { selected, selectedBlock } from '../stores/selection.ts'

const most = 10
const standard = ['FAQAccordion', 'Testimonials', 'CTA', 'Stats', 'Quote']

const longestQuoted = 160

/** Examples for what is selected, then for the shown page. */
export const examples = computed(() => {
  const all = [...selectedExamples(), ...examplesFor(blocks.value, manifest.value?.blocks ?? [])]
  return [...new Set(all)].slice(0, most)
})

/** Examples for the selected field, or the first texts of the selected block, with the present text. */
function selectedExamples(): readonly string[] {
  const block = selectedBlock.value
  if (!block) return []
  const position = selected.value?.path
  const path = position === undefined ? undefined : pathAt(block.props, position)
  const fields = typeOf.value(block.type)?.fields ?? {}
  const isSingle = blocks.value.filter(({ type }) => type === block.type).length === 1
  if (path && (path.length > 1 || !isSingle)) return quoting('Change this', valueAt(block.props, path))
  if (!isSingle) return []
  const names = path ?? Object.keys(fields).filter((name) => fields[name]?.kind === 'text')
  return names.slice(0, 2).flatMap((name) => {
    const field = labelOf(name, fields[name]).toLowerCase()
    return quoting(`Change the ${displayNameOf(block.type)} ${field}`, block.props[name])
  })
}

/** A message that sets a text; a text that would not be in quotes has none. */
function quoting(what: string, now: unknown): readonly string[] {
  const isQuotable =
    typeof now === 'string' && now !== '' && !/["\n]/.test(now) && now.length <= longestQuoted
  return isQuotable ? [`${what} to "${now}"`] : []
}

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
