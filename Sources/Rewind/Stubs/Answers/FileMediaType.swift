import Foundation

/// The media type of a file, guessed from the extension of its name.
enum FileMediaType {
    /// The value of a `Content-Type`; `application/octet-stream` for an extension that is not known.
    static func of(_ url: URL) -> String {
        types[url.pathExtension.lowercased()] ?? "application/octet-stream"
    }

    /// What servers send; text is taken for UTF-8, as files are that people write.
    private static let types = [
        "aac": "audio/aac", "avif": "image/avif", "bmp": "image/bmp", "css": "text/css; charset=utf-8",
        "csv": "text/csv; charset=utf-8", "geojson": "application/geo+json", "gif": "image/gif",
        "gz": "application/gzip", "heic": "image/heic", "heif": "image/heif", "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8", "ico": "image/vnd.microsoft.icon",
        "ics": "text/calendar; charset=utf-8", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "jsonld": "application/ld+json",
        "m3u8": "application/vnd.apple.mpegurl", "m4a": "audio/mp4", "md": "text/markdown; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "mov": "video/quicktime", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "mpeg": "video/mpeg", "ogg": "audio/ogg", "otf": "font/otf",
        "pdf": "application/pdf", "png": "image/png", "rtf": "application/rtf",
        "svg": "image/svg+xml", "tar": "application/x-tar", "tiff": "image/tiff", "ttf": "font/ttf",
        "txt": "text/plain; charset=utf-8", "wasm": "application/wasm", "wav": "audio/wav",
        "webm": "video/webm", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
        "xhtml": "application/xhtml+xml", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml", "zip": "application/zip",
    ]
}
