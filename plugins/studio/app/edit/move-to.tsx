import { Dialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'
import { displayNameOf } from '../stores/block-types.ts'
import { blocks, pages, slug } from '../stores/draft.ts'
import { nodes } from '../stores/outline.ts'
import { moving } from '../stores/ui.ts'
import { moveAfter, moveToPage } from './order.ts'
import { focusRow } from './outline-keys.ts'

/** Chooses another place for a block: on this page, or at the end of another one. */
export function MoveTo() {
  const block = blocks.value.find(({ id }) => id === moving.value)
  if (!block) return null
  const others = nodes.value.filter(({ id, row }) => row === undefined && id !== block.id)
  const items = [
    { id: 'top', name: 'To the top' },
    ...others.map(({ id, name, text }) => ({ id: `after ${id}`, name: `After ${name}`, detail: text })),
    ...pages.value
      .filter((page) => page.slug !== slug.value)
      .map((page) => ({ id: `page ${page.slug}`, name: `To the page ${page.title}`, detail: page.slug })),
  ]
  const choose = (chosen: string): void => {
    const [kind] = chosen.split(' ', 1)
    const of = chosen.slice((kind ?? '').length + 1)
    moving.value = undefined
    if (kind === 'page') moveToPage(block, of, pages.value.find((page) => page.slug === of)?.title ?? of)
    else moveAfter(block.id, kind === 'after' ? of : undefined)
    focusRow(block.id)
  }
  const label = `Move ${displayNameOf(block.type)} to`
  return (
    <Dialog label={label} onClose={() => (moving.value = undefined)}>
      <Finder label={label} items={items} onChoose={choose} />
    </Dialog>
  )
}
