import { useMemo } from 'preact/hooks'
import { blocks, page, whyLocked, type Block } from '../stores/draft.ts'
import { displayNameOf, typeOf } from '../stores/block-types.ts'
import { selectedBlock } from '../stores/selection.ts'
import { OneField } from './kinds.tsx'
import { readSchema } from './schema.ts'

/** The fields of the selected block. */
export function Fields() {
  const block = selectedBlock.value
  if (!block || !page.value) return null
  return <BlockFields key={`${page.value.slug} ${block.id}`} block={block} slug={page.value.slug} />
}

function BlockFields({ block: { id, type, props }, slug }: { readonly block: Block; readonly slug: string }) {
  const blockType = typeOf.value(type)
  const why = whyLocked(id)
  const schema = useMemo(() => readSchema(blockType?.propsSchema), [blockType])
  const fields = Object.entries(blockType?.fields ?? {}).filter(([, field]) => !field.internal)
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()}>
      <h2>
        {displayNameOf(type)}
        {blocks.value.length > 1 && <small> {position(id)}</small>}
      </h2>
      {fields.length === 0 && (
        <p class="soft">
          {why === undefined
            ? 'This block has no fields.'
            : `This block cannot be read: ${why}. Correct it on the website.`}
        </p>
      )}
      {fields.map(([name, field]) => (
        <OneField
          key={name}
          name={name}
          place={{ slug, blockId: id, path: [name] }}
          field={field}
          schema={schema.property(name)}
          label={field.label ?? name}
          value={props[name]}
          siblings={props}
        />
      ))}
    </form>
  )
}

const position = (id: string): string =>
  `${blocks.value.findIndex((each) => each.id === id) + 1} of ${blocks.value.length}`
