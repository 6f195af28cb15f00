"""The cases in which Rewind may refuse what the independent reader reads, each with the reason.

Where one of them applies, Rewind gives the same values as the independent reader, or refuses and says why. Everything
else must be read. What the independent reader cannot give must be refused.
"""

POLICIES = {
    # The whole file
    "YAML anchors": "an anchor may repeat a text many million times",
    "odd first interaction": "Rewind detects some formats by the first interaction",
    "null in place of a list": "a file without interactions may be cut off",
    "no interaction without doubt": "a file of which nothing can play may be of another format",
    "no end mark": "YAML that is cut off is still YAML, so that the last member of the format must be there",
    "structures of Ruby": "VCR 1 wrote them, and no longer reads them",
    "odd version": "a version that is no text says nothing about the format",
    "lone carriage returns": "YAML allows them as line ends, but no tool writes them",
    # An interaction
    "foreign tag": "a value with a tag of another tool may mean anything",
    "odd type": "a number or a Boolean in place of a text may have lost its spelling",
    "odd header field": "a field without a name, or with an object as its value, says nothing",
    "odd request body": "a body that is no object says nothing",
    "odd size": "a size that is no number does not say whether there was a body",
    "headers as an object": "no tool is known that writes HAR in this way",
    "header field twice": "tools read the last of two members with one name; Rewind may give both",
    "content field twice": "which of the two tells how to read the body is not defined",
    "header field without a value": "a field without a value may have had one",
    "request body that cannot be given": "matching needs the body",
    "response without content": "a response may have had a body that was not recorded",
    "response without a body": "a response may have had a body that was not recorded",
    "null in place of a body": "a response may have had a body that was not recorded",
    "status line without a code": "no tool is known that writes only the line",
    "interaction without a request": "the URL may be that after a redirect",
    "response without a URL": "both tools stop the process at such a response",
    "empty text": "LaserDisc writes an empty text for a body that is not text",
    "spelling of Content-Type": "DVR and Vinyl know only one spelling of the name",
    "frame without a date": "the frames of a scene are ordered by their dates",
    "odd scene": "a scene with anything but frames says nothing",
    "odd error": "an error has a domain and a code",
    "request without a method": "the request was not sent by a URLSession",
    "head in a body": "the body of a response may be the output of curl",
    # Bytes
    "text without an encoding": "the bytes of an unknown encoding are unknown",
    "lone surrogate": "half a character has no bytes",
    "padding of base64": "text without its padding may be cut off",
    "byte order": "utf-16 and utf-32 do not say the order of the bytes",
    "unknown character set": "the bytes of an unknown character set are unknown",
    "extended character set": "the platform may not have the extension of the character set",
    "unknown encoding": "the bytes of an unknown encoding are unknown",
    "name of an encoding that changes nothing": "only base64 is defined",
    "hex": "only base64 is defined",
    "chunks without a mark": "the text may be a JSON array of the server",
    "unknown content coding": "the bytes may be compressed",
    "fewer codings than named": "the recorder may have undone some of the codings",
    "compressed text": "text with the name of a compression was decoded by the recorder",
    "bytes after gzip": "bytes after the last member may be the start of another one",
    "text that inflates": "short text can be valid compressed data by accident",
    "binary under deflate": "bytes that do not inflate were decoded by the recorder, or are damaged",
}
