import { useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'
import { pages } from '../stores/draft.ts'
import { isRow } from '../stores/place.ts'
import { useField, type FieldProps } from './field.ts'
import { Frame } from './frame.tsx'
import { withScheme } from './link-target.ts'
import { Line } from './text.tsx'

/** Where a link leads: a page of the site, or any address. What else the link has stays as it is. */
export function LinkField(props: FieldProps) {
  const { value, schema } = props
  const isObject = isRow(value) || (schema.types.has('object') && !schema.types.has('string'))
  const bound = useField(props, {
    shown: hrefOf,
    stored: (href) => (isObject ? { ...(isRow(value) && value), href } : href),
  })
  const take = (href: string): void => {
    bound.type(href)
    bound.save()
  }
  const meant = withScheme(bound.value)
  const hint =
    meant === undefined ? (
      linkHint(bound.value)
    ) : (
      <Button onClick={() => take(meant)}>Did you mean {meant}?</Button>
    )
  return (
    <Frame {...props} bound={bound} hint={hint}>
      <div class="beside">
        <Line bound={bound} dir="ltr" />
        <PickPage onPick={take} />
      </div>
    </Frame>
  )
}

const hrefOf = (value: unknown): string => {
  const href = isRow(value) ? value['href'] : value
  return typeof href === 'string' ? href : ''
}

/** Says where an address leads, in words. */
export function linkHint(href: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(href) && !/^(?:https?|mailto|tel):/i.test(href))
    return 'Sites do not follow such an address.'
  if (!href.startsWith('/')) return undefined
  const path = href.split(/[?#]/, 1)[0]?.replace(/(?<=[^/])\/+$/, '')
  const title = pages.value.find(({ slug }) => slug === path)?.title
  return title === undefined ? 'This site has no such page.' : `Leads to the page ${title}.`
}

/** A button that opens the list of pages. */
export function PickPage({ onPick }: { readonly onPick: (slug: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const items = pages.value.map(({ slug, title }) => ({ id: slug, name: title, detail: slug }))
  const choose = (slug: string): void => {
    setOpen(false)
    onPick(slug)
  }
  return (
    <>
      <IconButton name="file-text" label="Choose a page" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog label="Choose a page" onClose={() => setOpen(false)}>
          <Finder label="Page" items={items} onChoose={choose} />
        </Dialog>
      )}
    </>
  )
}
