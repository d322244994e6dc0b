/** Paths of values in content: names and positions, such as `items[1].q`. */

/** Returns the path of a member of an object: `a.b`; a name with marks of paths is quoted, `a["b.c"]`. */
export function memberPath(path: string, name: string): string {
  if (name === '' || /[.[\]#]/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

/** The names and positions of a path of a difference, such as `items[1].q` or `["a.b"].c`. */
export const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, plain]) =>
    index === undefined ? (plain ?? String(JSON.parse(`"${quoted}"`))) : Number(index),
  )
