/**
 * What drafts, a site and its publishes have to do, found in a second way: every place has a value, and each draft the
 * value on which it last agreed with the site. There are no orders.
 */

/** The values of a page or of the site config, by place. */
export type Sheet = Readonly<Record<string, string>>
/** The sheets by slug; that of the site config has an empty one. */
export type State = ReadonlyMap<string, Sheet>

/** A change of pages that can be undone. */
interface OracleStep {
  readonly pages: ReadonlyMap<
    string,
    { readonly before: Sheet | undefined; readonly after: Sheet | undefined }
  >
  readonly config?: { readonly before: Sheet; readonly after: Sheet }
}

/** What somebody has, and the value on which it last agreed with the site. */
interface Copy {
  now: State
  agreed: State
  /** What pages and the site config were before they followed the site, by slug. */
  readonly behind?: Map<string, readonly (Sheet | undefined)[]>
}

/** A draft of the oracle. */
export interface DraftModel extends Copy {
  /** What it has scheduled, oldest first. */
  pins: readonly Copy[]
  /** The conflicts that were shown last: the values by place. */
  shown: ReadonlyMap<string, Readonly<Record<'base' | 'ours' | 'theirs', string | undefined>>>
  /** Where a person has typed since. */
  readonly typed: Set<string>
  /** What was there before, oldest first. */
  readonly earlier: State[]
  readonly stacks: Map<string, readonly OracleStep[]>
  readonly behind: Map<string, readonly (Sheet | undefined)[]>
}

type Winner = 'draft' | 'site'
export const config = ''
const isRow = (place: string): boolean => place.startsWith('row ')
/** The block that cannot be read is one value. */
const isLocked = (place: string): boolean => place.startsWith('locked ')
/** A place that a page may lack with all that is in it: a row, or a block. */
const isElement = (place: string): boolean => isRow(place) || place.startsWith('extra ') || isLocked(place)

/** A mark of a page that both sides have added, in what they agree on, while they do not agree on all of it. */
const isHalf = '#half'

const textOf = (sheet: Sheet | undefined): string =>
  JSON.stringify(sheet && Object.entries(sheet).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Whether two states have the same values. */
export const comparable = (state: State): object =>
  Object.fromEntries([...state].map(([slug, sheet]) => [slug, textOf(sheet)]).toSorted())

export const withSheet = (state: State, slug: string, sheet: Sheet | undefined): State =>
  new Map([...[...state].filter(([other]) => other !== slug), ...(sheet ? [[slug, sheet] as const] : [])])

export const withValue = (sheet: Sheet, place: string, value: string | undefined): Sheet =>
  Object.fromEntries([
    ...Object.entries(sheet).filter(([other]) => other !== place),
    ...(value === undefined ? [] : [[place, value]]),
  ])

/** What a site stores of a state: it drops some values, and changes others. */
export function storedOf(state: State, { dropped, changed }: Storing): State {
  const pages = [...state].map(([slug, sheet]): readonly [string, Sheet] => {
    if (slug === config) return [slug, sheet]
    const rest = Object.entries(sheet).filter(([place]) => !dropped.includes(place))
    return [
      slug,
      Object.fromEntries(
        rest.map(([place, value]) => [place, changed.includes(place) ? value.toUpperCase() : value]),
      ),
    ]
  })
  return new Map(pages)
}
/** The places of pages whose values a site drops and changes when it stores them. */
export interface Storing {
  readonly dropped: readonly string[]
  readonly changed: readonly string[]
}
export const storesAll: Storing = { dropped: [], changed: [] }

/** The value at `<slug> <place>`, or the page at `<slug>`. */
function valueAt(state: State, at: string): string | undefined {
  const slug = at.split(' ', 1)[0] ?? ''
  return slug === at ? textOf(state.get(slug)) : state.get(slug)?.[placeIn(at)]
}
const placeIn = (at: string): string => at.slice(at.indexOf(' ') + 1)

/** A state with what changed between two others. */
function withChanges(state: State, before: State, after: State): State {
  return [...new Set([...before.keys(), ...after.keys()])].reduce((result, slug) => {
    const [was, is, now] = [before, after, state].map((each) => each.get(slug))
    if (textOf(was) === textOf(is)) return result
    if (!was || !is) return withSheet(result, slug, is)
    if (!now) return result
    const changed = Object.keys({ ...was, ...is }).filter((place) => was[place] !== is[place])
    const sheet = changed.reduce((values, place) => withValue(values, place, is[place]), now)
    return withSheet(result, slug, sheet)
  }, state)
}

/** Which of the states that a site may show instead of the known one have what it shows. */
function meaningOf(
  shown: Sheet | undefined,
  known: Sheet | undefined,
  forms: readonly (Sheet | undefined)[],
) {
  if (!shown || !known) return forms.some((form) => textOf(form) === textOf(shown)) ? known : shown
  // Also a page that is not there shows none of its values.
  const isForm = (place: string) => forms.some((form) => form?.[place] === shown[place])
  return Object.keys({ ...shown, ...known }).reduce<Sheet>(
    (sheet, place) => withValue(sheet, place, (isForm(place) ? known : shown)[place]),
    {},
  )
}

/** A form without the values that the site has changed from `before` to `after`. */
function movedForm(form: Sheet | undefined, before: Sheet | undefined, after: Sheet | undefined) {
  if (textOf(before) === textOf(after)) return form
  if (!form || !before || !after) return after
  return Object.keys({ ...before, ...after }).reduce(
    (sheet, place) => (before[place] === after[place] ? sheet : withValue(sheet, place, after[place])),
    form,
  )
}

/** A page of a copy with the draft's value in place of each that one of the known states has; `undefined` for none. */
function pushedOnto(ours: Sheet | undefined, pushed: Sheet, known: readonly Sheet[]): Sheet | undefined {
  if (!ours) return known.some((state) => textOf(state) === textOf(pushed)) ? undefined : pushed
  return Object.keys({ ...ours, ...pushed }).reduce((sheet, place) => {
    const isKnown = known.some((state) => state[place] === pushed[place])
    return isKnown ? sheet : withValue(sheet, place, pushed[place])
  }, ours)
}

/**
 * The drafts of a site, and the site with what its answers mean. A site that is behind shows a publish only after it has
 * arrived. `answerText` returns what it answers now.
 */
export function createOracle(start: State, answerText: () => string, isBehind = false) {
  const drafts = new Map<string, DraftModel>()
  /** What the site has. */
  let stored = start
  /** What the site means. */
  let meant: State | undefined
  /** What the site may show instead, by slug and place. */
  let forms = new Map<string, ReadonlyMap<string, ReadonlySet<string | undefined>>>()
  /** The places of the home page that the site does not show. */
  let hidden: ReadonlySet<string> = new Set()
  let storing = storesAll
  const published: State[] = []
  /** What a site that is behind shows before what it has, oldest first. */
  let older: readonly State[] = []
  /** The whole states that it may show instead, until its deployments have ended. */
  let former: readonly State[] = []
  /** The answers that were seen, and those of them from before each publish of the last time, with the one after it. */
  const answers = new Set<string>()
  let publishes: readonly { readonly before: ReadonlySet<string>; readonly after: string }[] = []
  /** Whether the site answers what it had before a publish. */
  let isStale = false

  const answer = (): State =>
    new Map(
      [...(older[0] ?? stored)].map(([slug, sheet]) => [
        slug,
        slug === '/' ? [...hidden].reduce((rest, place) => withValue(rest, place, undefined), sheet) : sheet,
      ]),
    )

  /** Whether the answer as a whole was seen before a publish, after which the site showed another one. */
  const isEarlier = (): boolean => {
    const text = answerText()
    const shownBy = publishes.findLastIndex(({ after }) => after === text)
    return isStale || publishes.slice(shownBy + 1).some(({ before }) => before.has(text))
  }

  /** Reads the site. */
  const look = (): State => {
    if (meant && isEarlier()) return meant
    answers.add(answerText())
    const seen = answer()
    if (isBehind && meant) {
      const before = meant
      let after: State = new Map()
      for (const slug of new Set([...seen.keys(), ...before.keys()])) {
        const shapes = former.map((state) => state.get(slug))
        after = withSheet(after, slug, meaningOf(seen.get(slug), before.get(slug), shapes))
        const moved = (state: State) => movedForm(state.get(slug), before.get(slug), after.get(slug))
        former = former.map((state) => withSheet(state, slug, moved(state)))
      }
      meant = after
      return after
    }
    const result = new Map<string, Sheet>()
    const left: typeof forms = new Map()
    for (const [slug, sheet] of seen) {
      const known = meant?.get(slug)
      let now = sheet
      const stay = new Map<string, ReadonlySet<string | undefined>>()
      for (const [place, shapes] of known ? (forms.get(slug) ?? []) : []) {
        if (!shapes.has(sheet[place])) continue
        now = withValue(now, place, known?.[place])
        stay.set(place, shapes)
      }
      result.set(slug, now)
      left.set(slug, stay)
    }
    meant = result
    forms = left
    return result
  }

  /** The site has been sent something. */
  const send = (sent: State): void => {
    if (isBehind) {
      former = [answer(), ...(meant ? [meant] : []), ...former]
      older = [...older, stored]
    }
    meant = sent
    stored = storedOf(sent, storing)
    published.push(sent)
    publishes = [...publishes, { before: new Set(answers), after: answerText() }]
    answers.add(answerText())
    forms = new Map()
    const seen = answer()
    for (const [slug, sheet] of sent) {
      const shown = seen.get(slug)
      const differing = Object.keys(sheet).filter((place) => sheet[place] !== shown?.[place])
      forms.set(slug, new Map(differing.map((place) => [place, new Set([shown?.[place]])])))
    }
  }

  /** A copy takes over what it has not changed; returns what both have changed, as `<slug> <place>`. */
  const follow = (
    draft: Copy,
    site: State,
    decided: (at: string) => Winner | undefined = () => undefined,
  ) => {
    const open: string[] = []
    const one = <T>(at: string, base: T, ours: T, theirs: T, text: (value: T) => unknown) => {
      const [was, here, there] = [text(base), text(ours), text(theirs)]
      if (here === there) return { ours, base: theirs }
      if (was === here) return { ours: theirs, base: theirs }
      if (was === there) return { ours, base }
      const winner = decided(at)
      if (winner) return { ours: winner === 'site' ? theirs : ours, base: theirs }
      open.push(at)
      return { ours, base }
    }
    for (const slug of new Set([...draft.agreed.keys(), ...draft.now.keys(), ...site.keys()])) {
      const [base, ours, theirs] = [draft.agreed.get(slug), draft.now.get(slug), site.get(slug)]
      let after: { ours: Sheet | undefined; base: Sheet | undefined } = { ours: {}, base: {} }
      // What both have added and not agreed on, one of them has again not added if it is gone there.
      if (!ours || !theirs) after = one(slug, base && isHalf in base ? undefined : base, ours, theirs, textOf)
      else {
        const before = open.length
        for (const place of new Set(Object.keys({ ...base, ...ours, ...theirs }))) {
          const at = `${slug} ${place}`
          const isOnBoth = isElement(place) && ours[place] && theirs[place]
          const was = base?.[place] === '' && !isOnBoth ? undefined : base?.[place]
          const result = one(at, was, ours[place], theirs[place], (value) => value)
          // An element that both have added is in the base, without the text that differs.
          const isAdded = isOnBoth && was === undefined && !isLocked(place)
          after = {
            ours: withValue(after.ours ?? {}, place, result.ours),
            base: withValue(after.base ?? {}, place, result.base ?? (isAdded ? '' : undefined)),
          }
        }
        if (open.length > before && (!base || isHalf in base)) after.base = { ...after.base, [isHalf]: 'yes' }
      }
      if (textOf(ours) !== textOf(after.ours))
        draft.behind?.set(slug, [...(draft.behind.get(slug) ?? []), ours])
      draft.now = withSheet(draft.now, slug, after.ours)
      draft.agreed = withSheet(draft.agreed, slug, after.base)
    }
    return open.toSorted()
  }

  /** Lets a draft follow, and shows what both have changed; what was typed again after it was shown is decided. */
  const show = (draft: DraftModel, site: State, isShown = (_at: string) => true) => {
    const seen = draft.shown
    const sidesAt = (place: string) => ({
      base: valueAt(draft.agreed, place),
      ours: valueAt(draft.now, place),
      theirs: valueAt(site, place),
    })
    const isDecided = (at: string): boolean => {
      const then = seen.get(at)
      const { base, ours, theirs } = sidesAt(at)
      // An element that one side lacks, and a page, are decided only by name.
      const isOne =
        at.includes(' ') && !(isElement(placeIn(at)) && [ours, theirs, then?.ours].includes(undefined))
      const isSame = then?.theirs === theirs && then?.base === base
      return isOne && draft.typed.has(at) && isSame && then?.ours !== ours
    }
    follow(draft, site)
    const open = follow(draft, site, (at) => (isDecided(at) ? 'draft' : undefined))
    const shown = open.flatMap((at) => {
      const values = isShown(at) ? sidesAt(at) : seen.get(at)
      return values ? [[at, values] as const] : []
    })
    draft.shown = new Map(shown)
    for (const at of draft.typed) {
      const then = seen.get(at)
      const now = draft.shown.get(at)
      if (!then || !now || then.ours !== now.ours || then.theirs !== now.theirs) draft.typed.delete(at)
    }
    return open
  }

  /** What a page of a copy is compared with: what draft and site agreed on, what the site has and shows, former states. */
  const knownAt = (
    draft: DraftModel,
    slug: string,
    { before, sheet }: { readonly before: Sheet | undefined; readonly sheet: Sheet },
  ): readonly Sheet[] => {
    const agreed = draft.agreed.get(slug)
    // An element that both sides have added was agreed on only as long as both have it.
    const base =
      agreed &&
      Object.fromEntries(
        Object.entries(agreed).filter(([place, text]) => text !== '' || (before?.[place] && sheet[place])),
      )
    const site = meant?.get(slug)
    const shown = [...((!isBehind && forms.get(slug)) || [])].flatMap(([place, values]) =>
      [...values].map((value) => site && withValue(site, place, value)),
    )
    const states = [base, site, ...shown, ...former.map((state) => state.get(slug))]
    return [...states, ...(draft.behind.get(slug) ?? [])].filter((state) => state !== undefined)
  }

  const draftAt = (name: string): DraftModel => {
    const known = drafts.get(name)
    if (!known) throw new Error(`the draft ${name} is not filled`)
    return known
  }

  /** Changes a draft. A value that was typed last is chosen by a person; any other change of it says nothing. */
  const put = (
    draft: DraftModel,
    changes: State | ReadonlyMap<string, Sheet | undefined>,
    isTyped = false,
  ): void => {
    draft.earlier.push(draft.now)
    for (const [slug, sheet] of changes) {
      const before = draft.now.get(slug)
      for (const place of Object.keys({ ...before, ...sheet })) {
        if (before?.[place] === sheet?.[place]) continue
        if (isTyped) draft.typed.add(`${slug} ${place}`)
        else draft.typed.delete(`${slug} ${place}`)
      }
      draft.now = withSheet(draft.now, slug, sheet)
    }
  }

  return {
    get stored() {
      return stored
    },
    published,
    isFilled: (name: string) => drafts.has(name),
    draft: draftAt,
    fill(name: string) {
      const now = answer()
      drafts.set(name, {
        now,
        agreed: now,
        earlier: [now],
        behind: new Map(),
        stacks: new Map(),
        pins: [],
        shown: new Map(),
        typed: new Set(),
      })
    },
    hide(places: ReadonlySet<string>) {
      hidden = places
    },
    store(next: Storing) {
      storing = next
    },
    /** The site changes by itself, also what it shows. */
    change(apply: (state: State) => State) {
      stored = apply(stored)
      older = older.map(apply)
    },
    /** A publish arrives on a site that is behind; with `all` every one, and their deployments have ended. */
    arrive(all: boolean) {
      older = all ? [] : older.slice(1)
      if (!all) return
      former = []
      publishes = []
    },
    /** From now on the site answers what it had before a publish, or not any more. */
    stale(is: boolean) {
      isStale = is
    },
    /** So much time passes that no answer is behind any more. */
    wait() {
      isStale = false
      publishes = []
    },
    edit(name: string, slug: string, after: Sheet | undefined) {
      const draft = draftAt(name)
      const before = draft.now.get(slug)
      const step: OracleStep = { pages: new Map([[slug, { before, after }]]) }
      put(draft, new Map([[slug, after]]), true)
      if (slug !== config) draft.stacks.set(slug, [...(draft.stacks.get(slug) ?? []), step])
    },
    /** A person types a value again as it is: that decides its conflict, if that was shown with the value of the site. */
    typeAgain(name: string, at: string) {
      const draft = draftAt(name)
      const then = draft.shown.get(at)
      if (!then) return
      const site = look()
      follow(draft, site)
      const isSame = then.theirs === valueAt(site, at) && then.base === valueAt(draft.agreed, at)
      if (isSame) follow(draft, site, (each) => (each === at ? 'draft' : undefined))
    },
    /**
     * A client pushes a copy. A value on which draft and site agreed, which the site has or shows, or which the draft had
     * before it followed, is that of the copy's time: the draft keeps its own. Any other value is an edit.
     */
    push(name: string, copy: State) {
      const draft = draftAt(name)
      follow(draft, look())
      const changes = new Map<string, Sheet>()
      const replaced: [string, { readonly before: Sheet | undefined; readonly after: Sheet }][] = []
      for (const [slug, sheet] of copy) {
        const before = draft.now.get(slug)
        const known = knownAt(draft, slug, { before, sheet })
        const after = known.length > 0 ? pushedOnto(before, sheet, known) : sheet
        if (!after || textOf(after) === textOf(before)) continue
        changes.set(slug, after)
        if (slug === config) continue
        if (before || known.length > 0) replaced.push([slug, { before, after }])
        else draft.stacks.delete(slug)
      }
      const was = draft.now.get(config) ?? {}
      put(draft, changes)
      const settings = { before: was, after: draft.now.get(config) ?? {} }
      const step: OracleStep = { pages: new Map(replaced), config: settings }
      for (const [slug] of replaced) draft.stacks.set(slug, [...(draft.stacks.get(slug) ?? []), step])
    },
    /** Takes the newest change of a page back; answers the status of the request. */
    undo(name: string, slug: string): 200 | 400 | 409 {
      const draft = draftAt(name)
      const newest = (of: string) => draft.stacks.get(of)?.at(-1)
      const step = newest(slug)
      if (!step) return 400
      const isComplete = [...step.pages.keys()].every((each) => newest(each) === step)
      const undone = [...step.pages].filter(([each]) => isComplete || each === slug)
      const changes = new Map<string, Sheet | undefined>()
      for (const [each, { before, after }] of undone) {
        const now = draft.now.get(each)
        if (before && after && !now) return 409
        if (!before || !after) {
          if (textOf(now) !== textOf(before) && textOf(now) !== textOf(after)) return 409
          changes.set(each, before)
          continue
        }
        let sheet = now ?? {}
        for (const place of Object.keys({ ...before, ...after })) {
          const [was, is, had] = [before, now, after].map((side) => side?.[place])
          if (was === had || is === was) continue
          if (is !== had) return 409
          sheet = withValue(sheet, place, was)
        }
        changes.set(each, sheet)
      }
      if (isComplete && step.config && textOf(draft.now.get(config)) === textOf(step.config.after))
        changes.set(config, step.config.before)
      put(draft, changes)
      for (const [each] of undone) draft.stacks.set(each, draft.stacks.get(each)?.slice(0, -1) ?? [])
      return 200
    },
    /** Lets a draft follow; returns what both have changed. */
    follow: (name: string) => follow(draftAt(name), look()),
    /** Compares a draft with the site; returns what both have changed. */
    diff: (name: string) => show(draftAt(name), look()),
    /** Returns a function that takes back what happens to the content of a draft until then, as one change. */
    undoable(name: string) {
      const draft = draftAt(name)
      const { now, agreed } = draft
      return () => {
        const slugs = [...new Set([...now.keys(), ...draft.now.keys()])]
        const changed = slugs.filter((slug) => textOf(now.get(slug)) !== textOf(draft.now.get(slug)))
        const pages = changed.map(
          (slug) => [slug, { before: draft.now.get(slug), after: now.get(slug) }] as const,
        )
        put(draft, new Map(changed.map((slug) => [slug, now.get(slug)])))
        const step = { pages: new Map(pages.filter(([slug]) => slug !== config)) }
        for (const slug of step.pages.keys())
          draft.stacks.set(slug, [...(draft.stacks.get(slug) ?? []), step])
        draft.agreed = agreed
      }
    },
    decide: (name: string, at: string, take: Winner) =>
      follow(draftAt(name), look(), (each) => (each === at ? take : undefined)),
    /** Publishes a draft, or one page of it; returns the status of the answer and the conflicts. */
    publish(
      name: string,
      { overwrite, only }: { readonly overwrite?: boolean; readonly only?: string | undefined },
    ) {
      const draft = draftAt(name)
      const site = look()
      const isPublished = (at: string) => only === undefined || at === only || at.startsWith(`${only} `)
      const open = show(draft, site, isPublished).filter(isPublished)
      const part = (into: State) =>
        only === undefined ? draft.now : withSheet(into, only, draft.now.get(only))
      if (only !== undefined && textOf(draft.now.get(only)) === textOf(site.get(only)))
        return { status: 400, open: [] } as const
      if (open.length > 0 && !overwrite) return { status: 409, open } as const
      send(part(site))
      draft.agreed = part(draft.agreed)
      return { status: 200, open: [] } as const
    },
    /** Stores what a draft has changed until now. */
    schedule(name: string, overwrite: boolean) {
      const draft = draftAt(name)
      const site = look()
      const open = show(draft, site)
      if (open.length > 0 && !overwrite) return { status: 409, open } as const
      draft.pins = [...draft.pins, { now: draft.now, agreed: site }]
      return { status: 202, open: [] } as const
    },
    /** Publishes what a draft has scheduled; returns whether that was possible. */
    arriveAt(name: string, which: number): boolean {
      const draft = draftAt(name)
      const pin = draft.pins[which]
      const site = look()
      if (!pin || follow({ ...pin }, site).length > 0) return false
      const publication = { ...pin }
      follow(publication, site)
      const sent = publication.now
      send(sent)
      const isSent = (at: string) => valueAt(site, at) !== valueAt(sent, at)
      const own = (at: string) => (isSent(at) ? ('draft' as const) : undefined)
      const isOfPin = (at: string) => valueAt(pin.agreed, at) !== valueAt(pin.now, at)
      for (const later of draft.pins.slice(which + 1))
        follow(later, withChanges(later.agreed, pin.agreed, pin.now), (at) =>
          isOfPin(at) ? 'draft' : undefined,
        )
      draft.pins = draft.pins.filter((each) => each !== pin)
      follow(draft, site)
      follow(draft, sent, own)
      return true
    },
    /** Publishes an earlier publish again. */
    rollBack(to: number) {
      look()
      const wanted = published[to]
      if (wanted) send(wanted)
    },
  }
}
