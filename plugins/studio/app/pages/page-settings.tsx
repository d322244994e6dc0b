import { metaNames } from '../../../content/setting-names.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { GoneNotice } from '../edit/gone-notice.tsx'
import { Button } from '../parts/button.tsx'
import { isComposing } from '../parts/composing.ts'
import { UnsavedNote } from '../parts/typed-notes.tsx'
import { useUnsaved } from '../parts/use-typed.ts'
import { isMissing, page, pages, slug, type Page } from '../stores/draft.ts'
import { isDocument, isUsedByCode, placeName } from '../stores/documents.ts'
import { whyNoPage } from '../stores/editor-routes.ts'
import { whoDeleted, type Gone } from '../stores/gone.ts'
import { release, shownPage } from '../stores/held.ts'
import { nameOfSetting } from '../stores/place.ts'
import { diff } from '../stores/review.ts'
import { session, site } from '../stores/site.ts'
import { redirects } from '../stores/site-config.ts'
import { caret, giveUp } from '../stores/typed.ts'
import { MenuName } from './menu-settings.tsx'
import { copyPage, readdress, removePage } from './intents.ts'
import { SearchPreview } from './search-preview.tsx'
import { Setting } from './setting.tsx'
import { metaSetting, type MetaName, pageTitle } from './own-settings.ts'
import { storePageSetting } from './store-setting.ts'
import { problemWith } from './tree.ts'

/** The settings of the shown page. */
export function PageSettings() {
  const { value: shown, key, isGone } = shownPage.value ?? {}
  if (!shown && !isMissing.value) return <div class="skeleton pad" aria-busy="true" />
  if (!shown) return <p class="soft pad">{whyNoPage()}</p>
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()} key={key}>
      <h2>
        {isDocument(shown.slug) ? 'Document' : 'Page'} <small>{placeName(shown.slug)}</small>
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
            : storePageSetting(pageTitle, shown.slug, { value: newTitle, on })
        }
      />
      {!isDocument(shown.slug) && <MenuName slug={shown.slug} title={shown.title} />}
      {!isUsedByCode(shown.slug) && <Address of={shown.slug} />}
      <Meta page={shown} />
      {!isDocument(shown.slug) && <SearchPreview page={shown} />}
      {!isUsedByCode(shown.slug) && <Actions page={shown} />}
    </form>
  )
}

const metas = [
  { name: 'title', isLong: false, best: 60 },
  { name: 'description', isLong: true, best: 160 },
  { name: 'ogImage', isLong: false, best: undefined },
] as const

function Meta({ page }: { readonly page: Page }) {
  const { slug: of } = page
  const stored = (name: MetaName): string => metaSetting(name).stored(page)
  return (
    <>
      {metas
        .filter(({ name }) => name === 'description' || !isDocument(of))
        .map(({ name, isLong, best }) => (
          <Setting
            key={name}
            name={`meta ${name}`}
            slug={of}
            label={metaNames[name]}
            isLong={isLong}
            isPicture={name === 'ogImage'}
            hint={best === undefined ? undefined : lengthHint(stored(name), best)}
            stored={stored(name)}
            onStore={(value, on) => storePageSetting(metaSetting(name), of, { value, on })}
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
  const [entered, setEntered] = useState<string | undefined>(undefined)
  const shown = entered ?? of
  const typed = shown.trim()
  const name = nameOfSetting([site.value?.id, session], 'address', of)
  const unsaved = useUnsaved(name, of, setEntered)
  const latest = useRef({ name, of, typed })
  latest.current = { name, of, typed }
  useEffect(() => () => void offerAddress(latest.current), [])
  if (of === '/') return <p class="soft">The address of the home page is always {of}.</p>
  const problem = typed === of ? undefined : problemWith(typed, pages.value)
  const type = (text: string): void => {
    caret.value = { name, at: Date.now() }
    setEntered(text)
  }
  const isReady = typed !== of && problem === undefined
  const change = async (): Promise<void> => {
    if (await readdress(of, typed)) setEntered(undefined)
  }
  return (
    <div class="field">
      <label for="page-address">{isDocument(of) ? 'File' : 'Address'}</label>
      <div class="with-button">
        <input
          id="page-address"
          dir="ltr"
          value={shown}
          aria-describedby="page-address-hint"
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && !isComposing(event) && isReady && void change()}
          onBlur={() => caret.peek()?.name === name && (caret.value = undefined)}
        />
        <Button needs="edit" disabled={!isReady} onClick={() => void change()}>
          {isDocument(of) ? 'Move the file' : 'Change address'}
        </Button>
      </div>
      <small id="page-address-hint" class={problem === undefined ? 'hint' : 'failure'}>
        {problem ?? (typed === of ? '' : follows())}
      </small>
      <UnsavedNote unsaved={unsaved} />
    </div>
  )
}

/** Offers an address that was typed and not changed, if its page was deleted. */
async function offerAddress(last: { readonly name: string; readonly of: string; readonly typed: string }) {
  const { name, of, typed } = last
  const isThere = of === slug.peek() ? page.peek() : pages.peek().some((each) => each.slug === of)
  if (typed === of || isThere) return
  const unknown: Gone = { what: 'page', by: undefined }
  const gone = await whoDeleted({ slug: of, blockId: '', path: [] }, 'page').catch(() => unknown)
  giveUp(name, { value: typed, on: of, gone })
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
