import findMyWay from 'find-my-way'
import type { Method } from './route.ts'

/** What a path leads to, with the parameters in it. */
export interface Found<T> {
  readonly target: T
  readonly params: Readonly<Record<string, string | undefined>>
}

/** Finds what a method and a path lead to. HEAD finds what GET finds. */
export interface Router<T> {
  /** Adds a route; false when the method and path are taken. */
  add(method: Method, path: string, target: T): boolean
  find(method: string, path: string): Found<T> | undefined
  /** True when some method leads somewhere on this path. */
  knows(path: string): boolean
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[]
const noParams = Object.freeze({})

const isMethod = (method: string): method is Method => methods.some((each) => each === method)

/**
 * Routes by find-my-way, with a plain map before it for paths without parameters.
 *
 * Paths are case-sensitive, a trailing slash is another path, a parameter has at most 256 characters, and a path with
 * a bad escape leads nowhere.
 */
export function createRouter<T>(): Router<T> {
  const tree = findMyWay({ caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 256 })
  const plain = new Map<Method, Map<string, Found<T>>>(methods.map((method) => [method, new Map()]))
  const targets: T[] = []

  const find = (method: string, path: string): Found<T> | undefined => {
    const verb = method === 'HEAD' ? 'GET' : method
    if (!isMethod(verb)) return undefined
    const known = plain.get(verb)?.get(path)
    if (known) return known
    const found = tree.find(verb, path)
    if (!found) return undefined
    const target = targets[found.store as number]
    return target === undefined ? undefined : { target, params: found.params }
  }

  return {
    add(method, path, target) {
      if (tree.hasRoute(method, path)) return false
      tree.on(method, path, () => undefined, targets.push(target) - 1)
      if (!path.includes(':')) plain.get(method)?.set(path, { target, params: noParams })
      return true
    },
    find,
    knows: (path) => methods.some((method) => find(method, path) !== undefined),
  }
}
