import { Button, Choice, IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { takeStep } from '../edit/undo-line.ts'
import { fold, mode, pagesOpen, panels, type PanelName, shows, view, width } from '../stores/ui.ts'
import { placeName } from '../stores/documents.ts'
import { hasVersions, page, slug } from '../stores/draft.ts'
import { changeCount } from '../stores/review.ts'
import { site } from '../stores/site.ts'
import { config } from '../stores/site-config.ts'
import { isOver, nameOfStep } from './steps.ts'
import { nameOfKey } from '../parts/key-names.ts'
import { sideId } from './side.tsx'
import { drawerId } from './sidebar.tsx'
import { People } from './people.tsx'
import { SaveState } from './save-state.tsx'
import { SiteMenu } from '../sites/sites.tsx'
import { isNarrow, isPhone } from '../stores/widths.ts'

const icons = { desktop: 'monitor', tablet: 'tablet', phone: 'smartphone' } as const
const widths = [
  { value: 'desktop', title: 'Desktop', text: <Icon name={icons.desktop} /> },
  { value: 'tablet', title: 'Tablet', text: <Icon name={icons.tablet} /> },
  { value: 'phone', title: 'Phone', text: <Icon name={icons.phone} /> },
] as const
const deviceIcon = () => icons[isPhone.value ? 'phone' : width.value]
const modes = [
  { value: 'edit', title: 'Click selects', text: 'Edit' },
  { value: 'browse', title: 'Click follows links', text: 'Browse' },
] as const
const versions = [
  { value: 'draft', title: 'The draft', text: 'Draft' },
  { value: 'published', title: 'What visitors see', text: 'Published' },
  { value: 'both', title: 'The draft beside what visitors see', text: 'Both' },
] as const

/** The bar above every view: where the person is, whether it is saved, and the way to a publish. */
export function Bar() {
  const count = changeCount.value
  const isEdit = view.value === 'edit'
  return (
    <header class="bar">
      <div class="part">
        {isEdit && isNarrow.value && (
          <IconButton name="list-tree" label="Blocks and pages" popovertarget={drawerId} />
        )}
        {isEdit && !isNarrow.value && <FoldButton panel="left" />}
        <SiteMenu name={config.value?.name || (site.value?.siteName ?? 'Studio')} />
        <Button
          onClick={() => (pagesOpen.value = 'list')}
          aria-haspopup="dialog"
          title={`Pages (go to one: ${nameOfKey('Mod+K')})`}
        >
          <span class="opener">
            <span class="cut">
              {page.value?.title ?? 'Pages'} <small>{placeName(slug.value)}</small>
            </span>
            <Icon name="chevron-down" />
          </span>
        </Button>
        <SaveState />
        <span class="grow" />
      </div>
      {isEdit &&
        (isNarrow.value ? (
          <Menu label="Preview" icon={deviceIcon()} items={choicesAsItems()} />
        ) : (
          <PreviewChoices />
        ))}
      <div class="part">
        <span class="grow" />
        <People />
        {(['undo', 'redo'] as const).map((step) => (
          <IconButton
            key={step}
            name={step === 'undo' ? 'undo-2' : 'redo-2'}
            label={nameOfStep(step)}
            needs="edit"
            disabled={isOver(step)}
            onClick={() => void takeStep(step)}
          />
        ))}
        {isEdit && !isPhone.value && <FoldButton panel="right" />}
        {/* On a phone the views are below, with the number of changes. */}
        {!isPhone.value && (
          <Button variant="main" onClick={() => (view.value = 'review')}>
            {count === 0 ? 'Review' : `Review ${count} ${count === 1 ? 'change' : 'changes'}`}
          </Button>
        )}
      </div>
    </header>
  )
}

const folding = {
  left: { icon: 'panel-left', id: drawerId, what: 'Blocks and pages', keys: 'Mod+B' },
  right: { icon: 'panel-right', id: sideId, what: 'Chat and fields', keys: 'Mod+Shift+B' },
} as const

/** Folds a panel beside the page, or shows it again. */
function FoldButton({ panel }: { readonly panel: PanelName }) {
  const { icon, id, what, keys } = folding[panel]
  return (
    <IconButton
      name={icon}
      label={`${what} (${nameOfKey(keys)})`}
      aria-expanded={panels[panel].value === 'open'}
      aria-controls={id}
      onClick={() => fold(panel)}
    />
  )
}

/** The same choices where the bar has no room for them. */
const choicesAsItems = () => [
  ...modes.map(({ value, text, title }) => ({
    text: `${text}: ${title.toLowerCase()}`,
    isDisabled: mode.value === value,
    run: () => void (mode.value = value),
  })),
  ...(hasVersions.value ? versions : []).map(({ value, title }) => ({
    text: title,
    isDisabled: shows.value === value,
    run: () => void (shows.value = value),
  })),
  // A phone shows the page as wide as it is.
  ...(isPhone.value ? [] : widths).map(({ value, title }) => ({
    text: title,
    isDisabled: width.value === value,
    run: () => void (width.value = value),
  })),
]

const PreviewChoices = () => (
  <>
    <Choice label="Width" options={widths} value={width.value} onChoose={(value) => (width.value = value)} />
    <Choice label="Mode" options={modes} value={mode.value} onChoose={(value) => (mode.value = value)} />
    {hasVersions.value && (
      <Choice
        label="Version"
        options={versions}
        value={shows.value}
        onChoose={(value) => (shows.value = value)}
      />
    )}
  </>
)
