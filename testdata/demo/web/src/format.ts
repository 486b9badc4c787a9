import { Parcel, Scan, Status } from "./client";

const labels: Record<Status, string> = {
  announced: "📝 Announced",
  "in-transit": "🚚 In transit",
  "out-for-delivery": "🏠 Out for delivery",
  delivered: "✅ Delivered",
  returned: "↩️ Returned",
};

export function lastScan(parcel: Parcel): Scan | undefined {
  if (parcel.scans && parcel.scans.length > 0) {
    return parcel.scans[parcel.scans.length - 1];
  }
  return undefined;
}

export function statusLabel(parcel: Parcel): string {
  const scan = lastScan(parcel);
  return scan == undefined ? labels.announced : labels[scan.status];
}

export function weight(grams: number): string {
  if (grams == 0) {
    console.log("⚠️ parcel without weight");
    return "–";
  }
  return grams < 1000 ? `${grams} g` : `${(grams / 1000).toFixed(1)} kg`;
}

export function since(at: string, now: Date = new Date()): string {
  const minutes = Math.floor((now.getTime() - new Date(at).getTime()) / 60000);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
