/** Starts the checkouts of a website that is edited: of its drafts, which they follow, and of what is published. */
import { setTimeout as pause } from 'node:timers/promises'
import { bus } from '../../../plugins/bus/port.ts'
import {
  type CheckoutOptions,
  type Checkout,
  createDraftFiles,
  type DevProject,
  type DraftFilesOptions,
  openCheckout,
  type RunningCheckout,
} from '../../../plugins/checkout/port.ts'
import { draftChanged, drafts } from '../../../plugins/draft/port.ts'
import type { ContentFiles, DraftReader } from '../../../plugins/files/adapter/index.ts'
import { following } from '../../../plugins/follow/port.ts'
import { published } from '../../../plugins/publish/port.ts'
import { scope } from '../../../plugins/scope/port.ts'
import type { serve } from '../serve/start.ts'
import { watchFolder } from './watch.ts'

/** How often it is looked whether git has finished. */
const gitLookMs = 200

interface CheckoutsOptions extends Pick<CheckoutOptions, 'env' | 'git'> {
  readonly project: DevProject
  readonly siteId: string
  readonly files: Pick<ContentFiles, 'filesOf' | 'gitAtWork'>
  /** Gets what people of the folder have to decide, as a sentence. */
  readonly print: (sentence: string) => void
  /** The service, once it has started. */
  readonly service: Promise<Pick<Awaited<ReturnType<typeof serve>>, 'get' | 'log'>>
  readonly signal: AbortSignal
}

export type Checkouts = ReturnType<typeof createCheckouts>

/** A checkout that runs, and how it follows the folder. */
interface Open extends Pick<Checkout, 'folder'> {
  readonly follow: () => Promise<unknown>
}

/** Runs checkouts, each in one of a few places beside the folder; they follow the folder until they are closed. */
function createRuns(options: CheckoutsOptions) {
  const { project, files, signal } = options
  const open = new Set<Open>()
  let folder: ReturnType<typeof watchFolder> | undefined
  let isWaiting = false
  signal.addEventListener('abort', () => void folder?.close())

  const isBusy = async (): Promise<boolean> => (await files.gitAtWork()) !== undefined

  /** Lets all that run follow the folder, once git is not at work there. */
  async function changed(): Promise<void> {
    if (isWaiting) return
    isWaiting = true
    try {
      while (await isBusy()) await pause(gitLookMs, undefined, { signal })
    } catch {
      return
    } finally {
      isWaiting = false
    }
    for (const { follow } of open) void follow()
  }

  return {
    open: (place: number) =>
      openCheckout(project, { ...options, isBusy, name: place === 0 ? 'draft' : `draft ${place + 1}` }),
    async run(checkout: Checkout, follow: Open['follow'], onClose = () => {}): Promise<RunningCheckout> {
      const own = { folder: checkout.folder, follow }
      const close = async (): Promise<void> => {
        open.delete(own)
        onClose()
        await checkout.close()
      }
      open.add(own)
      folder ??= watchFolder(project.folder, () => void changed())
      try {
        await follow()
        await checkout.start(signal)
      } catch (error) {
        await close()
        throw error
      }
      return {
        get origin() {
          return checkout.origin
        },
        ended: checkout.ended,
        close,
      }
    },
    /** Copies what has changed in the folder; where git is at work there, once it has finished. */
    async follow(checkout: Checkout): Promise<void> {
      await checkout.follow()
      if (await isBusy()) void changed()
    },
    /** Whether each change in the folder is seen. */
    seesAll: () => folder?.seesAll() === true,
    /** The folder of one that runs. */
    folder: () => [...open][0]?.folder,
  }
}

/** Creates the functions that start checkouts. */
export function createCheckouts(options: CheckoutsOptions) {
  const { project, siteId, files, print, service, signal } = options
  const { folder: root } = project
  const runs = createRuns(options)
  let lastPublish: Promise<void> = Promise.resolve()

  return {
    /** Returns what starts the checkout of a draft; `onWritten` gets the pages that it has. */
    draft:
      (session: string, onWritten: DraftFilesOptions['onWritten']) =>
      async (place: number): Promise<RunningCheckout> => {
        const { get, log } = await service
        const [draft, follow, events] = await Promise.all([get(drafts), get(following), get(bus)])
        const id = (await get(scope)).draft({ siteId, session })
        const checkout = await runs.open(place)
        const reader: DraftReader = {
          async read(since) {
            await draft.head(id)
            return draft.read(id, since)
          },
          page: async (slug) => (await draft.page(id, slug))?.page,
          slugs: async () => (await draft.rows(id)).map(({ slug }) => slug),
        }
        const filesOf = () => files.filesOf(reader)
        const onError = (err: unknown) =>
          log.warn({ err, ...id }, 'the draft could not be written into the checkout')
        const copy = { write: checkout.write, follow: () => runs.follow(checkout) }
        const write = createDraftFiles({ root, filesOf, checkout: copy, onWritten, onError })
        const closed = new AbortController()
        events.subscribe(
          draftChanged,
          (change) => {
            if (change.siteId === id.siteId && change.session === id.session)
              void write({ isRepositoryNew: !runs.seesAll() })
          },
          { signal: AbortSignal.any([signal, closed.signal]) },
        )
        let asked: string | undefined
        const followed = async () => {
          const asks = await follow.follow(id)
          if (asks !== undefined && asks !== asked) print(`${session}: ${asks}`)
          asked = asks
          await write({ isRepositoryNew: true })
        }
        return runs.run(checkout, followed, () => {
          closed.abort()
          onWritten(new Map(), true)
        })
      },
    /** Starts the checkout of what is published, which has the files of the folder alone. */
    async published(place: number): Promise<RunningCheckout> {
      const checkout = await runs.open(place)
      const { get, log } = await service
      const follow = () =>
        runs
          .follow(checkout)
          .catch((err: unknown) => log.warn({ err }, 'the checkout could not follow the folder'))
      const closed = new AbortController()
      // The studio loads its page again at once.
      const events = await get(bus)
      events.subscribe(published, () => void (lastPublish = follow()), {
        signal: AbortSignal.any([signal, closed.signal]),
      })
      return runs.run(checkout, follow, () => closed.abort())
    },
    /** Resolves once the checkout of what is published has the last publish. */
    hasLastPublish: (): Promise<void> => lastPublish,
    folder: runs.folder,
  }
}
