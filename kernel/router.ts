import findMyWay from 'find-my-way'
import { isMethod, methods, type Method } from './route.ts'

/** The target of a path, with the parameters of the path. */
export interface FoundRoute<T> {
  readonly target: T
  readonly params: Readonly<Record<string, string | undefined>>
}

const noParams = Object.freeze({})

/** True for a path of plain segments and parameters. find-my-way also accepts patterns, which can be slow. */
export const isRoutePath = (path: string): boolean => /^(?:\/(?::[A-Za-z]\w*|[\w.~-]*))+$/.test(path)

/**
 * Creates a router based on find-my-way, with a plain map for paths without parameters.
 *
 * Paths are case-sensitive, a trailing slash makes another path unless one is optional, a parameter has 1 to 256
 * characters, and a path with an invalid escape matches no route.
 */
export function createRouter<T>({ optionalSlash = false } = {}) {
  const tree = findMyWay({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 256 })
  const plain = new Map<string, Map<string, FoundRoute<T>>>(methods.map((method) => [method, new Map()]))

  return {
    /** Adds a route; returns false if the method and path are taken. */
    add(method: Method, path: string, target: T): boolean {
      if (tree.hasRoute(method, path)) return false
      tree.on(method, path, () => undefined, { target })
      if (!path.includes(':')) plain.get(method)?.set(path, { target, params: noParams })
      return true
    },
    /** Finds the target of a method and a path. HEAD is treated like GET. */
    find(method: string, path: string): FoundRoute<T> | undefined {
      const verb = method === 'HEAD' ? 'GET' : method
      const wanted = optionalSlash && path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
      const exact = plain.get(verb)?.get(wanted)
      if (exact) return exact
      const found = isMethod(verb) ? tree.find(verb, wanted) : null
      if (!found || Object.values(found.params).includes('')) return undefined
      return { target: (found.store as Pick<FoundRoute<T>, 'target'>).target, params: found.params }
    },
  }
}
