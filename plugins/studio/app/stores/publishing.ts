/** A publish under way: it sends the version that was reviewed, or nothing. */
import { signal } from '@preact/signals'
import { ApiError, call, sentenceOf, type Answer } from '../service.ts'
import { isCommit } from './changed-files.ts'
import { loadPages } from './draft.ts'
import { forget } from './reverted.ts'
import { publishes } from './log.ts'
import { diff, loadDiff, titleOf } from './review.ts'
import { broughtBy } from './published-changes.ts'
import { draftId } from './site.ts'
import { chosen, partOf, tickAll } from './ticks.ts'
import { say } from './toast.ts'
import { view } from './ui.ts'

type Publishing =
  | { readonly state: 'idle' }
  | { readonly state: 'checking' }
  | { readonly state: 'sending' }
  | { readonly state: 'deploying' }
  | { readonly state: 'scheduled'; readonly at: string }
  | {
      readonly state: 'live'
      readonly at: string
      /** What it published, such as `Home, Our team (new)`; empty where that is not known. */
      readonly what: string
      readonly notes: readonly string[]
      /** The snapshot before this publish; `undefined` for the first one. */
      readonly before: string | undefined
    }
  /** `moved` if the draft went on after it was reviewed. */
  | { readonly state: 'failed' | 'moved'; readonly why: string }

export const publishing = signal<Publishing>({ state: 'idle' })

const pollMs = 2000

/** Publishes what is ticked in the review, now or at a time, or an earlier publish again. */
export async function publish(
  request: {
    readonly at?: string
    readonly commit?: string
    readonly remove?: string[]
    readonly overwrite?: true
  } = {},
): Promise<void> {
  const last = publishes.value.find(({ status, commit }) => status === 'success' && commit)
  const before = last?.snapshot ?? last?.commit
  const what = request.commit === undefined ? whatIsReviewed(request.remove) : ''
  forget()
  publishing.value = { state: 'sending' }
  try {
    const answer = await call('POST /publish', {
      body: {
        ...draftId.value,
        ...request,
        ...(request.commit === undefined && whatIsSent()),
        ...(request.at === undefined && request.commit === undefined && isCommit.value && { asCommit: true }),
      },
    })
    publishing.value =
      answer.status === 'scheduled'
        ? { state: 'scheduled', at: answer.at }
        : await resultOf(answer, before, what)
    if (publishing.value.state !== 'failed') tickAll()
  } catch (error) {
    publishing.value = refusalOf(error)
  }
  if (request.remove) await loadPages()
  await loadDiff()
}

/** The version that was reviewed, and what of it is ticked. */
function whatIsSent() {
  const baseVersion = diff.value?.previewVersion
  return { ...(baseVersion !== undefined && { baseVersion }), ...partOf(diff.value, chosen.value) }
}

/** Why nothing was published. What is to be decided first is in the review, which is shown. */
function refusalOf(error: unknown): Publishing {
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'draft_changed') return { state: 'moved', why: sentenceOf(error) }
  if (code === 'site_unavailable') return { state: 'failed', why: away }
  if (code === 'site_shrunk') return { state: 'failed', why: shrunk }
  if (code === 'branch_changed') return { state: 'failed', why: branchChanged }
  if (code !== 'site_conflict') return { state: 'failed', why: sentenceOf(error) }
  view.value = 'review'
  say('Not published: the site has changed too. Choose: publish the draft’s text, or drop it.')
  return { state: 'idle' }
}

const shrunk = 'The site has lost most of its pages. Choose in the review what becomes of them.'
const branchChanged = 'The folder has another branch now. Choose in the review whether the draft follows it.'
const away = 'The site does not answer now. Publish again once it does.'

async function resultOf(
  {
    status,
    notes = [],
    commitSha,
    branch,
  }: Exclude<Answer<'POST /publish'>, { readonly status: 'scheduled' }>,
  before: string | undefined,
  what: string,
): Promise<Publishing> {
  const committed = commitSha === undefined ? [] : [`Commit ${commitSha.slice(0, 7)} on ${branch}.`]
  const why = status === 'triggered' ? await deployed() : undefined
  return why === undefined
    ? { state: 'live', at: new Date().toISOString(), notes: [...notes, ...committed], before, what }
    : { state: 'failed', why }
}

function whatIsReviewed(entries: readonly string[] = []): string {
  const { pages = [], siteConfig } = chosen.value ?? {}
  const slugsOf = (status: string) => pages.filter((page) => page.status === status).map(({ slug }) => slug)
  const [added, modified, removed] = [
    slugsOf('added'),
    slugsOf('modified'),
    [...entries, ...slugsOf('removed')],
  ]
  return broughtBy(
    { added, modified, removed, siteConfigFields: siteConfig?.fieldDiffs.length ?? 0 },
    titleOf,
  )
}

/** Waits for the deployment that a publish started; returns why it failed. */
async function deployed(): Promise<string | undefined> {
  publishing.value = { state: 'deploying' }
  for (;;) {
    const { status, lastCheckError } = await call('GET /publish/status', { query: draftId.value })
    if (status === 'ready') return undefined
    if (status === 'failed') return lastCheckError ?? 'The deployment failed.'
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
