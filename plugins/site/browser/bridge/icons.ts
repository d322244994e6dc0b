/** The symbols of the tools: lines on a field of 24 by 24. Drawn without markup, which a page may refuse. */

const namespace = 'http://www.w3.org/2000/svg'

export const icons = {
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  addAbove: 'M4 14h16v7H4zM12 2v8M8 6h8',
  addBelow: 'M4 3h16v7H4zM12 14v8M8 18h8',
  add: 'M12 5v14M5 12h14',
  bin: 'M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 11v6M14 11v6',
} as const

export function drawIcon(name: keyof typeof icons): SVGElement {
  const svg = document.createElementNS(namespace, 'svg')
  const lines = document.createElementNS(namespace, 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  lines.setAttribute('d', icons[name])
  svg.append(lines)
  return svg
}
