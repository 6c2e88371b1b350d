import * as z from 'zod';

// A field that is missing or has another type gets the fallback of its text.
const field = z.string().nullish().catch(null);

/** The response of `/alerts/active/area/STATE`. */
export const alerts = z.object({
  features: z.array(
    z.object({
      properties: z.object({
        event: field,
        areaDesc: field,
        severity: field,
        description: field,
        instruction: field,
      }),
    }),
  ),
});

/** The response of `/points/LAT,LON`: where the forecast for a place is. */
export const point = z.object({ properties: z.object({ forecast: z.url().max(2_048) }) });

/** The response of the forecast URL of a place. */
export const forecast = z.object({
  properties: z.object({
    periods: z.array(
      z.object({
        name: field,
        temperature: z.number().nullish().catch(null),
        temperatureUnit: field,
        windSpeed: field,
        windDirection: field,
        detailedForecast: field,
      }),
    ),
  }),
});

type Alert = z.infer<typeof alerts>['features'][number];
type Period = z.infer<typeof forecast>['properties']['periods'][number];

/** Returns the five lines of an alert. */
export function alertText({ properties }: Alert): string {
  return [
    `Event: ${properties.event || 'Unknown'}`,
    `Area: ${properties.areaDesc || 'Unknown'}`,
    `Severity: ${properties.severity || 'Unknown'}`,
    `Description: ${properties.description || 'No description available'}`,
    `Instructions: ${properties.instruction || 'No specific instructions provided'}`,
  ].join('\n');
}

/** Returns the four lines of a period of a forecast. */
export function periodText(period: Period): string {
  const { temperature } = period;
  return [
    `${period.name || 'Unknown'}:`,
    `Temperature: ${temperature == null ? 'Unknown' : `${temperature}°${period.temperatureUnit || 'F'}`}`,
    `Wind: ${period.windSpeed || 'Unknown'} ${period.windDirection || ''}`.trimEnd(),
    `Forecast: ${period.detailedForecast || 'No forecast available'}`,
  ].join('\n');
}
