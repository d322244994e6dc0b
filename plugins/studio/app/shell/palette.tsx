import { takeStep } from '../edit/undo-line.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'
import { placeName } from '../stores/documents.ts'
import { blocks, hasDocuments, openPage, pages } from '../stores/draft.ts'
import { displayNameOf } from '../stores/block-types.ts'
import { select } from '../stores/selection.ts'
import { openSite, site, sites } from '../stores/site.ts'
import { openSettings } from '../pages/settings.ts'
import { help, isNaming, pagesOpen, palette, view } from '../stores/ui.ts'
import { askChat } from './keys.ts'
import { nameOfSite } from '../sites/sites.tsx'
import { allowedViews } from './views.ts'

/** Goes to a page, a block or a command by typing a part of its name. */
export function Palette() {
  if (!palette.value) return null
  const commands: Readonly<Record<string, { readonly name: string; readonly run: () => unknown }>> = {
    'command undo': { name: 'Undo', run: () => takeStep('undo') },
    'command redo': { name: 'Redo', run: () => takeStep('redo') },
    'command chat': { name: 'Chat', run: askChat },
    'command new page': { name: 'New page', run: () => (pagesOpen.value = 'new') },
    'command pages': { name: 'All pages', run: () => (pagesOpen.value = 'list') },
    'command page': { name: 'Title, address, search', run: () => openSettings('page') },
    ...(!hasDocuments.value && {
      'command site': { name: 'Site settings', run: () => openSettings('site') },
    }),
    'command name': { name: 'Your name', run: () => (isNaming.value = true) },
    'command keys': { name: 'Keys', run: () => (help.value = true) },
    ...Object.fromEntries(
      allowedViews().map(({ name, text }) => [
        `command ${name}`,
        { name: text, run: () => (view.value = name) },
      ]),
    ),
  }
  const others = (sites.value ?? []).filter(({ id }) => id !== site.value?.id)
  const items = [
    ...pages.value.map(({ slug, title }) => ({ id: `page ${slug}`, name: title, detail: placeName(slug) })),
    ...blocks.value.map(({ id, type }) => ({
      id: `block ${id}`,
      name: displayNameOf(type),
      detail: 'block on this page',
    })),
    ...others.map((each) => ({ id: `site ${each.id}`, name: nameOfSite(each), detail: 'website' })),
    ...Object.entries(commands).map(([id, { name }]) => ({ id, name, detail: 'command' })),
  ]
  const choose = (id: string): void => {
    palette.value = false
    const [kind, of = ''] = [id.slice(0, id.indexOf(' ')), id.slice(id.indexOf(' ') + 1)]
    if (kind === 'site') return openSite(of)
    if (kind === 'command') return void commands[id]?.run()
    view.value = 'edit'
    if (kind === 'page') void openPage(of)
    else select({ blockId: of })
  }
  return (
    <Dialog label="Go to" onClose={() => (palette.value = false)}>
      <Finder label="Page, block, website or command" items={items} onChoose={choose} />
    </Dialog>
  )
}
