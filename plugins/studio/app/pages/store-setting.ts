/** Stores a typed setting of the site, or of one of its pages. */
import { applyOn, inTurn, latestPage } from '../edit/store-field.ts'
import { sayChanged } from '../edit/undo-line.ts'
import { ApiError } from '../service.ts'
import { failed } from '../stores/connection.ts'
import { version, type Operation, type Page } from '../stores/draft.ts'
import { movedTo, whoDeleted } from '../stores/gone.ts'
import { loadConfig } from '../stores/site-config.ts'
import type { StoreOutcome } from '../stores/typed.ts'
import { refresh } from './intents.ts'

interface TypedSetting {
  readonly value: string
  /** The value on which it was typed. */
  readonly on: string
}

/** A setting of the site. */
export interface SiteSetting {
  /** What it is called in messages. */
  readonly what: string
  /** Returns its value in the settings that were read last. */
  readonly stored: () => string
  readonly opsFor: (value: string) => readonly Operation[]
}

/** A setting of a page, as itself or in the settings of the site. */
export interface PageSetting {
  readonly what: string
  readonly stored: (page: Page) => string
  readonly opsFor: (value: string, page: Page) => readonly Operation[]
}

/** Stores a setting of the site; what others have stored meanwhile is returned instead. */
export const storeSetting = ({ stored, opsFor, ...setting }: SiteSetting, typed: TypedSetting) =>
  storeOn(setting.what, async (since) => {
    await loadConfig()
    return storedOr(typed, stored(), since) ?? opsFor(typed.value)
  })

/**
 * Stores a setting of a page, wherever that is now; what others have stored meanwhile is returned instead.
 */
export const storePageSetting = ({ what, stored, opsFor }: PageSetting, of: string, typed: TypedSetting) => {
  let slug = of
  return storeOn(what, async (since) => {
    for (;;) {
      const [latest] = await Promise.all([latestPage(slug), loadConfig()])
      if (latest) return storedOr(typed, stored(latest.read), since) ?? opsFor(typed.value, latest.read)
      const to = await movedTo(slug)
      if (to === undefined) return { gone: await whoDeleted({ slug, blockId: '', path: [] }, 'page') }
      slug = to
    }
  })
}

/** The outcome without a change: the value is stored, or others have stored another one. */
function storedOr({ value, on }: TypedSetting, now: string, since: number): StoreOutcome | undefined {
  if (now === value) return { version: since }
  return now.trim() === on.trim() ? undefined : { theirs: now }
}

/**
 * Applies the operations that `decide` makes of what a version has, unless it has an outcome. Asks again when the
 * draft has moved on.
 */
const storeOn = (
  what: string,
  decide: (since: number) => Promise<StoreOutcome | readonly Operation[]>,
): Promise<StoreOutcome> =>
  inTurn(async (): Promise<StoreOutcome> => {
    for (;;) {
      const since = version.value
      const decided = await decide(since)
      if (!isOperations(decided)) return decided
      const stored = await applyOn(since, decided)
      if (!stored) continue
      sayChanged(`${what} saved`, stored.previewVersion)
      if (decided.some(({ op }) => op === 'update_site_config')) await refresh()
      return { version: stored.previewVersion }
    }
  }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'no_effective_change') return { version: version.value }
    return failed(error)
  })

const isOperations = (decided: StoreOutcome | readonly Operation[]): decided is readonly Operation[] =>
  Array.isArray(decided)
