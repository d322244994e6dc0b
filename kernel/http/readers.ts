import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '../errors.ts'
import { refusals } from '../refusals.ts'

/** Limits for clients that do not read their answers. */
export interface ReaderLimits {
  /** Pending or unread answers of one connection; at twice as many it is closed. */
  readonly requests: number
  /** Unread bytes of answers over all connections of this process. */
  readonly bytes: number
  /** Milliseconds after which a connection that reads nothing is closed. */
  readonly stalled: number
}

export const readerLimits: ReaderLimits = { requests: 100, bytes: 128 * 1024 * 1024, stalled: 30_000 }

/** The reading end of one connection. */
export interface Reader {
  /** Counts a pending answer, and refuses with 429 `too_many_requests` when too many are. */
  begin(response: ServerResponse): Refusal | undefined
  /** Removes a pending answer that was read, or that is left to the host. */
  end(response: ServerResponse): void
  /** Counts bytes of an answer that wait for the reader. */
  hold(bytes: number): void
  /** Counts bytes that were read. */
  taken(bytes: number): void
}

/**
 * Creates the limits of connections: a stalled one is closed, and while too many bytes are unread in total, the one that
 * has read nothing for the longest time.
 */
export function createReaders(limits: ReaderLimits = readerLimits): (socket: Socket) => Reader {
  const { requests: most, bytes: mostBytes, stalled } = limits
  const known = new WeakMap<Socket, Reader>()
  /** Functions that close connections with unread answers, the longest stalled one first. */
  const behind = new Set<() => void>()
  let waiting = 0

  const open = (socket: Socket): Reader => {
    const due = new Set<ServerResponse>()
    let bytes = 0
    let timer: NodeJS.Timeout | undefined
    let isCut = false
    const count = (change: number): void => {
      bytes += change
      waiting += change
    }
    const rest = (): void => {
      clearTimeout(timer)
      timer = undefined
      behind.delete(cut)
    }
    const wait = (): void => {
      timer = setTimeout(cut, stalled).unref()
      behind.add(cut)
    }
    const cut = (): void => {
      isCut = true
      count(-bytes)
      rest()
      socket.destroy()
    }
    // Node 22 closes only the response that is being sent, not those behind it.
    socket.once('close', () => {
      for (const response of due) if (!response.destroyed) response.destroy().emit('close')
    })
    return {
      begin(response) {
        due.add(response)
        if (due.size > most * 2) cut()
        return due.size > most ? refusals.tooManyRequests(most) : undefined
      },
      end: (response) => void due.delete(response),
      hold(added) {
        if (isCut) return
        count(added)
        if (!timer) wait()
        for (const cutLongest of behind) {
          // A single answer may exceed the limit.
          if (waiting <= mostBytes || (behind.size === 1 && due.size <= 1)) break
          cutLongest()
        }
      },
      taken(removed) {
        if (isCut) return
        count(-removed)
        rest()
        if (bytes > 0) wait()
      },
    }
  }

  return (socket) => {
    let reader = known.get(socket)
    if (!reader) known.set(socket, (reader = open(socket)))
    return reader
  }
}
