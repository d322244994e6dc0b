import { metaNames } from '../../../content/setting-names.ts'
import { useState } from 'preact/hooks'
import { GoneNotice } from '../edit/gone-notice.tsx'
import { Button } from '../parts/button.tsx'
import { isMissing, pages, type Page } from '../stores/draft.ts'
import { whyNoPage } from '../stores/editor-routes.ts'
import { release, shownPage } from '../stores/held.ts'
import { diff } from '../stores/review.ts'
import { redirects } from '../stores/site-config.ts'
import { MenuName } from './menu-settings.tsx'
import { copyPage, readdress, removePage, rename, storeSetting } from './intents.ts'
import { SearchPreview } from './search-preview.tsx'
import { Setting } from './setting.tsx'
import { problemWith } from './tree.ts'

/** The settings of the shown page. */
export function PageSettings() {
  const { value: shown, key, isGone } = shownPage.value ?? {}
  if (!shown && !isMissing.value) return <div class="skeleton pad" aria-busy="true" />
  if (!shown) return <p class="soft pad">{whyNoPage()}</p>
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()} key={key}>
      <h2>
        Page <small>{shown.slug}</small>
      </h2>
      {isGone ? (
        <GoneNotice place={{ slug: shown.slug, blockId: '', path: [] }} what="page" onLeave={release} />
      ) : (
        <p class="soft">Click something on the page to edit it.</p>
      )}
      <Setting
        name="title"
        slug={shown.slug}
        label="Title"
        stored={shown.title}
        onStore={(newTitle, on) =>
          newTitle.trim() === ''
            ? Promise.resolve({ failure: 'A page needs a title.' })
            : rename(shown.slug, newTitle, { on, now: shown.title })
        }
      />
      <MenuName slug={shown.slug} title={shown.title} />
      <Address of={shown.slug} />
      <Meta page={shown} />
      <SearchPreview page={shown} />
      <Actions page={shown} />
    </form>
  )
}

const metas = [
  { name: 'title', isLong: false, best: 60 },
  { name: 'description', isLong: true, best: 160 },
  { name: 'ogImage', isLong: false, best: undefined },
] as const

function Meta({ page: { slug: of, meta } }: { readonly page: Page }) {
  const stored = (name: (typeof metas)[number]['name']): string => meta?.[name] ?? ''
  return (
    <>
      {metas.map(({ name, isLong, best }) => (
        <Setting
          key={name}
          name={`meta ${name}`}
          slug={of}
          label={metaNames[name]}
          isLong={isLong}
          isPicture={name === 'ogImage'}
          hint={best === undefined ? undefined : lengthHint(stored(name), best)}
          stored={stored(name)}
          onStore={(value, on) => {
            const opsFor = (pageSlug: string) => [
              { op: 'update_page_meta', pageSlug, patch: { [name]: value } },
            ]
            return storeSetting(metaNames[name], opsFor, { on, now: stored(name) }, of)
          }}
        />
      ))}
    </>
  )
}

/** Search engines cut what is longer. */
function lengthHint(text: string, best: number): string | undefined {
  const length = [...text].length
  return length > best ? `${length} characters. Search engines show about ${best}.` : undefined
}

/** The address changes at once and with a button: links all over the site follow it. */
function Address({ of }: { readonly of: string }) {
  const [entered, setTyped] = useState<string | undefined>(undefined)
  const typed = entered ?? of
  if (of === '/') return <p class="soft">The address of the home page is always {of}.</p>
  const problem = typed === of ? undefined : problemWith(typed, pages.value)
  return (
    <div class="field">
      <label for="page-address">Address</label>
      <div class="with-button">
        <input
          id="page-address"
          dir="ltr"
          value={typed}
          aria-describedby="page-address-hint"
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget }) => setTyped(currentTarget.value.trim())}
        />
        <Button
          needs="edit"
          disabled={typed === of || problem !== undefined}
          onClick={() => void readdress(of, typed)}
        >
          Change address
        </Button>
      </div>
      <small id="page-address-hint" class={problem === undefined ? 'hint' : 'failure'}>
        {problem ?? (typed === of ? '' : follows())}
      </small>
    </div>
  )
}

/** What follows a page to another address. */
const follows = (): string =>
  redirects.value
    ? 'Links and menus on this site follow, and the old address leads to the new one.'
    : 'Links and menus on this site follow. The old address is not found any more.'

function Actions({ page: { slug: of, title, blocks } }: { readonly page: Page }) {
  const count =
    blocks.length === 0 ? '' : ` with ${blocks.length} ${blocks.length === 1 ? 'block' : 'blocks'}`
  const isNew = diff.value?.pages.some((each) => each.slug === of && each.status === 'added')
  const [target, setTarget] = useState('')
  const others = pages.value.filter((each) => each.slug !== of)
  return (
    <div class="actions stack">
      <Button needs="edit" onClick={() => void copyPage(of)}>
        Copy this page
      </Button>
      {of !== '/' && (
        <>
          <Button needs="edit" onClick={() => void removePage(of, target || undefined)}>
            <span class="removed">
              Delete <bdi>{title}</bdi>
              {count}
            </span>
          </Button>
          {redirects.value && !isNew && (
            <label>
              Visitors of its address then see{' '}
              <select value={target} onChange={({ currentTarget }) => setTarget(currentTarget.value)}>
                <option value="">“Not found”</option>
                {others.map(({ slug, title }) => (
                  <option key={slug} value={slug}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          )}
          <small>{!isNew && 'Visitors see it until you publish. '}Undo brings it back.</small>
        </>
      )}
    </div>
  )
}
