import { useEffect, useId, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { chartTimes } from '../stores/formats.ts'
import type { Range } from './series.ts'

interface ChartProps {
  readonly title: string
  readonly total: string
  readonly starts: readonly number[]
  readonly values: readonly number[]
  readonly unit: Range['unit']
  readonly format: (value: number) => string
  /** What is not counted. */
  readonly note?: string | undefined
}

const height = 130

/** Bars over time. A canvas says nothing to a screen reader, so its numbers are in a table. */
export function Chart({ title, total, starts, values, unit, format, note }: ChartProps) {
  const id = useId()
  const element = useRef<HTMLDivElement>(null)
  useEffect(
    () => (element.current ? draw(element.current, { starts, values, unit, format }) : undefined),
    [starts, values],
  )
  return (
    <figure class="card chart stack" aria-labelledby={id}>
      <figcaption id={id}>
        <h2>{title}</h2>
        <b>{total}</b>
      </figcaption>
      <div ref={element} class="canvas" aria-hidden="true" />
      {note !== undefined && <small>{note}</small>}
      <details>
        <summary>Table</summary>
        <table>
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit === 'hour' ? 'Hour' : 'Day'}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {starts.map((start, at) => (
              <tr key={start}>
                <th scope="row">{chartTimes[unit].format(start)}</th>
                <td>{format(values[at] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const bars = uPlot.paths.bars?.({ size: [0.7, 40] })

/** Draws the bars, again whenever the room or the theme changes. */
function draw(
  element: HTMLElement,
  { starts, values, unit, format }: Pick<ChartProps, 'starts' | 'values' | 'unit' | 'format'>,
): () => void {
  let plot: uPlot | undefined
  const again = (): void => {
    plot?.destroy()
    const { color, borderTopColor, outlineColor } = getComputedStyle(element)
    const axis = { stroke: color, grid: { stroke: borderTopColor, width: 1 }, ticks: { show: false } }
    const options: uPlot.Options = {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      // Half a bar more at both ends.
      scales: {
        x: { time: false, range: (_, min, max) => [min - 0.5, max + 0.5] },
        y: { range: (_, __, max) => [0, Math.max(max, 1)] },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 28, values: (_, splits) => splits.map((at) => labelAt(at)) },
        { ...axis, size: 52, values: (_, splits) => splits.map(format) },
      ],
      series: [{}, { fill: outlineColor, points: { show: false }, ...(bars && { paths: bars }) }],
    }
    plot = new uPlot(options, [starts.map((_, at) => at), [...values]], element)
  }
  const labelAt = (at: number): string => {
    const start = Number.isInteger(at) ? starts[at] : undefined
    return start === undefined ? '' : chartTimes[unit].format(start)
  }
  const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }))
  const theme = matchMedia('(prefers-color-scheme: dark)')
  again()
  observer.observe(element)
  theme.addEventListener('change', again)
  return () => {
    observer.disconnect()
    theme.removeEventListener('change', again)
    plot?.destroy()
  }
}
