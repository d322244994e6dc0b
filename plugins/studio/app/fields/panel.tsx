import { blocks } from '../stores/draft.ts'
import { nameOf, typeOf } from '../stores/block-types.ts'
import { selectedBlock } from '../stores/selection.ts'
import { PageSettings } from '../edit/page-settings.tsx'
import { OneField } from './list.tsx'

/** The fields of the selected block; of the page if none is. */
export function Fields() {
  const block = selectedBlock.value
  if (!block) return <PageSettings />
  const fields = Object.entries(typeOf.value(block.type)?.fields ?? {}).filter(([, field]) => !field.internal)
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()} key={block.id}>
      <h2>
        {nameOf(block.type)}
        {blocks.value.length > 1 && <small> {position(block.id)}</small>}
      </h2>
      {fields.length === 0 && <p class="soft">This block has no fields.</p>}
      {fields.map(([name, field]) => (
        <OneField key={name} blockId={block.id} path={name} field={field} value={block.props[name]} />
      ))}
    </form>
  )
}

const position = (id: string): string =>
  `${blocks.value.findIndex((each) => each.id === id) + 1} of ${blocks.value.length}`
