import { useMemo } from 'preact/hooks'
import { GoneNotice } from '../edit/gone-notice.tsx'
import { useStableFocus } from '../parts/use-stable-focus.ts'
import { blocks, page, slug, whyLocked, type Block } from '../stores/draft.ts'
import { displayNameOf, typeOf } from '../stores/block-types.ts'
import { release, shownBlock } from '../stores/held.ts'
import { OneField } from './kinds.tsx'
import { readSchema } from './schema.ts'
import { undeclaredFields } from './undeclared.ts'

/** The fields of the selected block; of one that another person deletes, until they are left. */
export function Fields() {
  if (!shownBlock.value) return null
  const { value: block, key, isGone } = shownBlock.value
  return <BlockFields key={`${key} ${block.id}`} block={block} isGone={isGone} />
}

interface BlockFieldsProps {
  readonly block: Block
  readonly isGone: boolean
}

function BlockFields({ block: { id, type, props }, isGone }: BlockFieldsProps) {
  const blockType = typeOf.value(type)
  const why = whyLocked(id)
  const schema = useMemo(() => readSchema(blockType?.propsSchema), [blockType])
  const declared = Object.entries(blockType?.fields ?? {})
  const fields =
    blockType && declared.length === 0
      ? undeclaredFields(props)
      : declared.flatMap(([name, field]) =>
          field.internal ? [] : [{ path: [name], field, value: props[name], siblings: props }],
        )
  return (
    <form class="fields" ref={useStableFocus()} onSubmit={(event) => event.preventDefault()}>
      <h2>
        {displayNameOf(type)}
        {blocks.value.length > 1 && !isGone && <small> {position(id)}</small>}
      </h2>
      {isGone && (
        <GoneNotice
          place={{ slug: slug.value, blockId: id, path: [] }}
          what={page.value ? 'block' : 'page'}
          onLeave={release}
        />
      )}
      {fields.length === 0 && (
        <p class="soft">
          {why === undefined
            ? 'This block has no fields.'
            : `This block cannot be read: ${why}. Correct it on the website.`}
        </p>
      )}
      {fields.map(({ path, field, value, siblings }) => (
        <OneField
          key={path.join('\n')}
          name={path.at(-1) ?? ''}
          place={{ slug: slug.value, blockId: id, path }}
          field={field}
          schema={path.reduce((inner, name) => inner.property(name), schema)}
          label={field.label ?? path.join(': ')}
          value={value}
          siblings={siblings}
        />
      ))}
    </form>
  )
}

const position = (id: string): string =>
  `${blocks.value.findIndex((each) => each.id === id) + 1} of ${blocks.value.length}`
